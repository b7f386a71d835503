package main

// A robber and a cop that wander about. The last methods of each type make the decisions: start there. agent.json starts the
// program with the role as its argument.

import "math"

// The name of the robber and of the cops, and how cops begin.
const (
	agentName = "Fox"
	starts    = PtypeCopFoot
)

// A Town is the map from the point of view of a player that moves on it.
type Town struct {
	// The corners next to each corner, itself first, on foot and by car.
	Foot, Car map[string][]string
	known     map[[2]string]map[string]int
}

// NewTown makes the town of a match.
func NewTown(game Skeleton) *Town {
	town := &Town{Foot: map[string][]string{}, Car: map[string][]string{}, known: map[[2]string]map[string]int{}}
	for _, node := range game.Nodes {
		town.Foot[node.Loc] = []string{node.Loc}
		town.Car[node.Loc] = []string{node.Loc}
	}
	for _, edge := range game.Edges {
		add(town.Car, edge.From, edge.To)
		if edge.Type == EdgeTypeFoot {
			add(town.Foot, edge.From, edge.To)
			add(town.Foot, edge.To, edge.From)
		}
	}
	return town
}

func add(near map[string][]string, from, to string) {
	for _, each := range near[from] {
		if each == to {
			return
		}
	}
	near[from] = append(near[from], to)
}

// Next returns the corners that a player can be on after a move. Standing still is a move.
func (town *Town) Next(loc string, ptype Ptype) []string {
	if ptype == PtypeCopCar {
		return town.Car[loc]
	}
	return town.Foot[loc]
}

// Moves returns the number of moves to each corner.
func (town *Town) Moves(start string, ptype Ptype) map[string]int {
	key := [2]string{start, string(ptype)}
	if town.known[key] == nil {
		found := map[string]int{start: 0}
		queue := []string{start}
		for at := 0; at < len(queue); at++ {
			for _, to := range town.Next(queue[at], ptype) {
				if _, isKnown := found[to]; !isKnown {
					found[to] = found[queue[at]] + 1
					queue = append(queue, to)
				}
			}
		}
		town.known[key] = found
	}
	return town.known[key]
}

// best returns the element with the best rating, the first of equals.
func best(corners []string, rate func(string) float64) string {
	chosen, most := corners[0], rate(corners[0])
	for _, corner := range corners[1:] {
		if rating := rate(corner); rating > most {
			chosen, most = corner, rating
		}
	}
	return chosen
}

func playerOf(world World, bot string) Player {
	for _, player := range world.Players {
		if player.Bot == bot {
			return player
		}
	}
	panic(bot + " is not in the world")
}

// A Robber plays one match.
type Robber struct {
	Name string
	Town *Town
}

// NewRobber begins a match.
func NewRobber(game Skeleton) *Robber { return &Robber{Name: game.Name, Town: NewTown(game)} }

// Move returns the corner to go to.
func (robber *Robber) Move(world World) string {
	here := playerOf(world, robber.Name).Loc
	return best(robber.Town.Next(here, PtypeRobber), func(corner string) float64 { return robber.Worth(corner, world) })
}

// Safety is the number of moves from the nearest cop to a corner.
func (robber *Robber) Safety(corner string, world World) float64 {
	safety := math.Inf(1)
	for _, player := range world.Players {
		if player.Bot != robber.Name {
			if moves, isNear := robber.Town.Moves(player.Loc, player.Ptype)[corner]; isNear {
				safety = math.Min(safety, float64(moves))
			}
		}
	}
	return safety
}

// Worth is the robber's rating of a corner; it moves to the best one.
func (robber *Robber) Worth(corner string, world World) float64 {
	return float64((len(corner) + world.World) % 7)
}

// A Cop plays one match.
type Cop struct {
	Name, Robber string
	Number       int // which of the five cops it is, from 0
	Banks        []string
	Town         *Town
	Suspects     []string // the corners where the robber may be
}

// NewCop begins a match.
func NewCop(game Skeleton) *Cop {
	cop := &Cop{Name: game.Name, Robber: game.Robber, Town: NewTown(game)}
	for at, name := range game.Cops {
		if name == cop.Name {
			cop.Number = at
		}
	}
	for _, node := range game.Nodes {
		if node.Tag == NodeTagBank {
			cop.Banks = append(cop.Banks, node.Loc)
		}
		if node.Tag == NodeTagRobberStart {
			cop.Suspects = append(cop.Suspects, node.Loc)
		}
	}
	return cop
}

// Inform is called after the robber's move: it works out where it may be, and informs the other cops.
func (cop *Cop) Inform(world World) []Inform {
	near := map[string]bool{}
	order := []string{}
	for _, loc := range cop.Suspects {
		for _, to := range cop.Town.Next(loc, PtypeRobber) {
			if !near[to] {
				near[to] = true
				order = append(order, to)
			}
		}
	}
	suspects, cleared := []string{}, []string{}
	for _, player := range world.Players {
		if player.Bot == cop.Robber {
			suspects = append(suspects, player.Loc)
		}
	}
	isSeen := len(suspects) > 0
	for _, corner := range order {
		isSuspect := cop.Suspect(corner, world)
		if isSeen {
			isSuspect = corner == suspects[0]
		} else if isSuspect {
			suspects = append(suspects, corner)
		}
		if !isSuspect {
			cleared = append(cleared, corner)
		}
	}
	if len(suspects) == 0 {
		suspects, cleared = order, nil
	}
	cop.Suspects = suspects
	return cop.Tell(cleared, world)
}

// Plan receives the reports of all cops. It suggests nothing.
func (cop *Cop) Plan(informs []InformsFrom, world World) []Planned {
	all := []Inform{}
	for _, told := range informs {
		all = append(all, told.Informs...)
	}
	cop.Hear(all)
	return nil
}

// Move returns the move of the cop. winner: the cop whose plan was elected; nil: nobody's.
func (cop *Cop) Move(winner *string, world World) Move {
	me := playerOf(world, cop.Name)
	loc := best(cop.Town.Next(me.Loc, me.Ptype), func(corner string) float64 { return cop.Hope(corner, world) })
	return Move{Loc: loc, Ptype: me.Ptype}
}

// Tell chooses from the corners without the robber those to report: only its own corner.
func (cop *Cop) Tell(corners []string, world World) []Inform {
	informs := []Inform{}
	for _, corner := range corners {
		if corner == playerOf(world, cop.Name).Loc {
			claim := Inform{Bot: cop.Robber, Loc: corner, Ptype: PtypeRobber, World: world.World, Certainty: -100}
			informs = append(informs, claim)
		}
	}
	return informs
}

// Hear uses the reports of all cops: it believes the first one that is certain of the robber's corner.
func (cop *Cop) Hear(informs []Inform) {
	for _, each := range informs {
		if each.Bot == cop.Robber && each.Certainty == 100 {
			cop.Suspects = []string{each.Loc}
			return
		}
	}
}

// Suspect is true if the robber, while nobody sees it, may be on a corner.
func (cop *Cop) Suspect(corner string, world World) bool {
	return corner != playerOf(world, cop.Name).Loc
}

// Hope is the cop's rating of a corner; it moves to the best one.
func (cop *Cop) Hope(corner string, world World) float64 {
	return float64((len(corner) + world.World) % 7)
}
