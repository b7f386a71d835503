package main

// Plays the Specker Challenge Game by its rules, and otherwise at random. The four methods below decide how it plays max-csp: start
// there. others.go plays the other built-in challenges, legally but at random.

// An Agent plays one match. Limits are those of raw material.
type Agent struct {
	Start
	Limits
}

// NewAgent begins a match of max-csp.
func NewAgent(start Start, limits Limits) *Agent { return &Agent{start, limits} }

// IsWorth is true to buy raw material of these relations at this price, in 10^-9 energy.
func (agent *Agent) IsWorth(relations []int, price int) bool { return Random.Intn(Energy) >= price }

// Idea is the relation to sell, from 0 to 255, and its price in 10^-9 energy.
func (agent *Agent) Idea() (relation, price int) { return Random.Intn(256), Random.Intn(Energy + 1) }

// RawMaterial is the raw material to deliver: the harder, the better.
func (agent *Agent) RawMaterial(relations []int) Instance {
	instance := Instance{Variables: 3}
	for _, relation := range relations {
		if len(instance.Constraints) < agent.MaxConstraints {
			constraint := Constraint{Weight: 1, Relation: relation, Variables: [3]int{1, 2, 3}}
			instance.Constraints = append(instance.Constraints, constraint)
		}
	}
	return instance
}

// Solve returns a value for each variable, 0 or 1: the more weight is satisfied, the better.
func (agent *Agent) Solve(instance Instance) []int {
	values := make([]int, instance.Variables)
	for at := range values {
		values[at] = Random.Intn(2)
	}
	return values
}
