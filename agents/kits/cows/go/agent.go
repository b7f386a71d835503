package main

// A team whose herders wander about. One object plays all of them, so each knows what the others have seen. The last methods
// choose where a herder goes: start there.

import "math"

// A Place is a column and a row. X grows to the east, Y to the south.
type Place struct{ X, Y float64 }

var moves = map[[2]int]Action{
	{0, -1}: ActionNorth, {1, -1}: ActionNortheast, {1, 0}: ActionEast, {1, 1}: ActionSoutheast,
	{0, 1}: ActionSouth, {-1, 1}: ActionSouthwest, {-1, 0}: ActionWest, {-1, -1}: ActionNorthwest,
}

// A Cow was seen by some herder in a step.
type Cow struct {
	Name string
	At   Place
	Step int
}

// A Team is all herders of a match.
type Team struct {
	Start
	Home   Place          // the middle of the corral
	Cows   []Cow          // cows that somebody has seen lately
	Chosen map[int]string // the name of the cow that each herder drives
}

// NewTeam begins a match.
func NewTeam(start Start) *Team {
	corral := start.Corral
	home := Place{float64(corral.X0+corral.X1) / 2, float64(corral.Y0+corral.Y1) / 2}
	return &Team{Start: start, Home: home, Chosen: map[int]string{}}
}

// Act returns the action of a herder.
func (team *Team) Act(body int, perception Perception) Action {
	team.Look(perception)
	return team.Walk(perception, team.Goal(body, perception))
}

// Look remembers the cows that a herder sees, and forgets those that are not where they were.
func (team *Team) Look(perception Perception) {
	seen := map[Place]bool{}
	for _, cell := range perception.Cells {
		if !cell.Unknown {
			seen[placeOf(perception, cell)] = true
		}
	}
	kept := []Cow{}
	for _, cow := range team.Cows {
		if !seen[cow.At] && perception.Step-cow.Step <= 30 {
			kept = append(kept, cow)
		}
	}
	team.Cows = kept
	for _, cell := range perception.Cells {
		if cell.Cow != nil {
			team.Remember(Cow{*cell.Cow, placeOf(perception, cell), perception.Step})
		}
	}
}

// Remember keeps the newest sighting of a cow.
func (team *Team) Remember(seen Cow) {
	for at := range team.Cows {
		if team.Cows[at].Name == seen.Name {
			team.Cows[at] = seen
			return
		}
	}
	team.Cows = append(team.Cows, seen)
}

func placeOf(perception Perception, cell Cell) Place {
	return Place{float64(perception.X + cell.X), float64(perception.Y + cell.Y)}
}

// Walk returns the move to the best free cell on the way to a goal; the first of equals.
func (team *Team) Walk(perception Perception, goal Place) Action {
	best, most := ActionSkip, math.Inf(-1)
	if (Place{float64(perception.X), float64(perception.Y)}) == goal {
		return best
	}
	for _, cell := range perception.Cells {
		move, isNear := moves[[2]int{cell.X, cell.Y}]
		if !isNear || cell.Cow != nil || cell.Agent != nil || cell.Obstacle {
			continue
		}
		if worth := team.Worth(placeOf(perception, cell), goal); worth > most {
			best, most = move, worth
		}
	}
	return best
}

// Distance is the distance between two places in a straight line.
func (team *Team) Distance(a, b Place) float64 {
	return math.Sqrt((a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y))
}

// Beyond is the place beyond a cow, seen from home, at a distance.
func (team *Team) Beyond(place Place, distance float64) Place {
	length := team.Distance(place, team.Home)
	beyond := func(a, b float64) float64 { return math.Floor(a + (a-b)*distance/length + 0.5) }
	return Place{beyond(place.X, team.Home.X), beyond(place.Y, team.Home.Y)}
}

// Somewhere is a place to explore: a different one for each herder, and every 20 steps.
func (team *Team) Somewhere(body, step int) Place {
	number := 7*body + step/20
	return Place{float64(13 * number % team.Width), float64(29 * number % team.Height)}
}

// Worth is a herder's rating of a place on the way to its goal.
func (team *Team) Worth(place, goal Place) float64 { return -team.Distance(place, goal) }

// Choose returns the cow that a herder drives, the first of equals; nil: it knows none.
func (team *Team) Choose(body int, me Place) *Cow {
	var best *Cow
	least := math.Inf(1)
	for at := range team.Cows {
		cow := &team.Cows[at]
		if way := team.Distance(me, cow.At) + team.Distance(cow.At, team.Home); way < least {
			best, least = cow, way
		}
	}
	delete(team.Chosen, body)
	if best != nil {
		team.Chosen[body] = best.Name
	}
	return best
}

// Goal is the place that a herder heads for.
func (team *Team) Goal(body int, perception Perception) Place {
	return team.Somewhere(body, perception.Step)
}
