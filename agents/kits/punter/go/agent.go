package main

// Claims rivers by the rules and without much thought: always the first free one. The last method rates rivers: start there.

// An Agent plays one match.
type Agent struct {
	Punter    int                 // my number
	Mines     []int               // sites
	Free      []Ends              // rivers that nobody has
	Own       []Ends              // my own
	Others    []Ends              // those of all others
	Distances map[int]map[int]int // by mine: the number of rivers from it to each site
}

// NewAgent begins a match.
func NewAgent(setup Setup) *Agent {
	rivers := setup.Map.Rivers
	agent := &Agent{Punter: setup.Punter, Mines: setup.Map.Mines, Free: rivers, Distances: map[int]map[int]int{}}
	for _, mine := range agent.Mines {
		agent.Distances[mine] = agent.Reach(mine, rivers)
	}
	return agent
}

// Futures are the bets at the beginning, where the match has them.
func (agent *Agent) Futures() []Future { return nil }

// Move returns a move. moves are the last moves of all punters.
func (agent *Agent) Move(moves []Move) Move {
	for _, move := range moves {
		if claim, ok := move.(Claim); ok {
			agent.Hear(claim.Claim)
		}
	}
	river := agent.Choose()
	if river == nil {
		return Pass{Passing{Punter: &agent.Punter}}
	}
	return Claim{River{Punter: &agent.Punter, Source: river.Source, Target: river.Target}}
}

// Hear records the claim of a river.
func (agent *Agent) Hear(claim River) {
	if *claim.Punter == agent.Punter {
		agent.Own = append(agent.Own, Ends{claim.Source, claim.Target})
	} else {
		agent.Others = append(agent.Others, Ends{claim.Source, claim.Target})
	}
	free := []Ends{}
	for _, river := range agent.Free {
		isSame := river == Ends{claim.Source, claim.Target} || river == Ends{claim.Target, claim.Source}
		if !isSame {
			free = append(free, river)
		}
	}
	agent.Free = free
}

// Reach returns the sites that can be reached from a site over some rivers, each with the number of rivers on the way.
func (agent *Agent) Reach(start int, rivers []Ends) map[int]int {
	near := map[int][]int{}
	for _, river := range rivers {
		near[river.Source] = append(near[river.Source], river.Target)
		near[river.Target] = append(near[river.Target], river.Source)
	}
	found := map[int]int{start: 0}
	queue := []int{start}
	for at := 0; at < len(queue); at++ {
		for _, site := range near[queue[at]] {
			if _, known := found[site]; !known {
				found[site] = found[queue[at]] + 1
				queue = append(queue, site)
			}
		}
	}
	return found
}

// Choose returns the free river with the best rating, the first of equals; nil: all are taken.
func (agent *Agent) Choose() *Ends {
	var best *Ends
	for at := range agent.Free {
		if best == nil || agent.Worth(agent.Free[at]) > agent.Worth(*best) {
			best = &agent.Free[at]
		}
	}
	return best
}

// Worth is the rating of a free river: 0 or more.
func (agent *Agent) Worth(river Ends) int { return 1 }
