package main

// Plays by the rules with a simple strategy: it demands everything that is worth something to it and accepts half of the total
// value. The three methods at the end make its decisions: start there.

// An Agent plays one session.
type Agent struct {
	Opt            // Me is 0 if the first turn is mine; Counts, Values and MaxRounds are those of the session
	Offers [][]int // the offers so far, oldest first
	Turn   int     // the number of its current turn, from 1
}

// NewAgent begins a session.
func NewAgent(opt Opt) *Agent { return &Agent{Opt: opt} }

// Offer returns what I demand, or nil to accept. offered is what the partner leaves me; nil: there has been no offer yet.
func (agent *Agent) Offer(offered []int) []int {
	agent.Turn++
	if offered == nil {
		return agent.Demand()
	}
	agent.Offers = append(agent.Offers, offered)
	if agent.IsEnough(offered) {
		return nil
	}
	return agent.Demand()
}

// Worth is the value of a share to me.
func (agent *Agent) Worth(share []int) int {
	total := 0
	for at, count := range share {
		total += count * agent.Values[at]
	}
	return total
}

// IsEnough is true if an offer is good enough to accept.
func (agent *Agent) IsEnough(offered []int) bool {
	return 2*agent.Worth(offered) >= agent.Worth(agent.Counts)
}

// Demand is the share to demand.
func (agent *Agent) Demand() []int {
	share := make([]int, len(agent.Counts))
	for at, count := range agent.Counts {
		if agent.Values[at] > 0 {
			share[at] = count
		}
	}
	return share
}

// Dear is the apparent value of an object of each type to the partner; only the proportions matter.
func (agent *Agent) Dear() []float64 {
	dear := make([]float64, len(agent.Counts))
	for at := range dear {
		dear[at] = 1
	}
	return dear
}
