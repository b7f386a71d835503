package main

// The dialogue of the Specker Challenge Game, and its rules: newDialogue turns messages into calls of a Player, which does what the
// rules require in any challenge. The Agent in agent.go decides how max-csp is played; others.go plays the other challenges.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/bits"
	"os"
	"sort"
	"strings"
	"time"
)

// Energy is one energy: prices and accounts are whole numbers of 10^-9 energy.
const Energy = 1_000_000_000

var begin = time.Now()

// Seconds returns the time since the program began.
func Seconds() float64 { return time.Since(begin).Seconds() }

func main() { playLines(os.Stdin, os.Stdout, newDialogue()) }

func newDialogue() Dialogue {
	var player *Player
	return func(told Told, body int) Said {
		switch message := told.(type) {
		case Start:
			player = newPlayer(message)
			return Ready{}
		case Turn:
			return Bundle{Actions: player.turn(message)}
		}
		return nil
	}
}

func caseMessage(saved map[string]any) Told { return readTold(saved) }

// caseAnswer returns said.JSON() for agents that do not play at random, so that "go test" compares answers.
func caseAnswer(said Said) any { return nil }

// An Instance is raw material of max-csp. Variables are numbered from 1.
type Instance struct {
	Variables   int
	Constraints []Constraint
}

// A Constraint has bit 4x + 2y + z of Relation set if it is satisfied when its three variables are x, y and z.
type Constraint struct {
	Weight, Relation int
	Variables        [3]int
}

// Limits of raw material of max-csp.
type Limits struct{ MaxVars, MaxConstraints, MaxWeight int }

// WeightMet is the weight of the constraints that these values satisfy.
func (instance Instance) WeightMet(values []int) int {
	met := 0
	for _, each := range instance.Constraints {
		x, y, z := values[each.Variables[0]-1], values[each.Variables[1]-1], values[each.Variables[2]-1]
		if each.Relation>>(4*x+2*y+z)&1 == 1 {
			met += each.Weight
		}
	}
	return met
}

// A craft is what a player needs to know of a challenge.
type craft interface {
	isWorth(offer StoreEntry) bool
	// idea returns a predicate of this many parts that do not imply each other, or nil; and its price.
	idea(parts int) (map[string]any, int)
	// rawMaterial returns raw material, a solution of it, and a lower bound of that solution's quality.
	rawMaterial(predicate map[string]any) (map[string]any, map[string]any, string)
	solve(instance map[string]any) map[string]any
}

type secretSolution struct {
	solution map[string]any
	nonce    string
}

// A Player does what the rules require.
type Player struct {
	start   Start
	craft   craft
	secrets map[int]secretSolution // of its own secret challenges, until they are revealed
}

func newPlayer(start Start) *Player {
	player := &Player{start: start, secrets: map[int]secretSolution{}}
	limits := readObject(start.Challenge.Config)
	if start.Challenge.Name == "max-csp" {
		of := func(name string) int { return readInt(limits[name]) }
		player.craft = maxCsp{NewAgent(start, Limits{of("maxVars"), of("maxConstraints"), of("maxWeight")})}
	} else if other, isKnown := others[start.Challenge.Name]; isKnown {
		player.craft = otherCraft{limits, other}
	} else {
		panic("this agent cannot play the challenge " + start.Challenge.Name)
	}
	return player
}

// turn fulfils obligations first (rule 4).
func (player *Player) turn(view Turn) []Action {
	actions := []Action{}
	for _, sold := range view.ToDeliver {
		actions = append(actions, player.delivery(sold))
	}
	for _, each := range view.ToSolve {
		actions = append(actions, Solve{Challenge: each.Challenge, Solution: player.craft.solve(readObject(each.Instance))})
	}
	for _, each := range view.ToReveal {
		secret := player.secrets[each.Challenge]
		actions = append(actions, Reveal{Challenge: each.Challenge, Solution: secret.solution, Nonce: secret.nonce})
	}
	if view.Trading {
		actions = append(actions, player.trade(view)...)
	}
	return actions
}

func (player *Player) delivery(sold Sold) Action {
	instance, solution, quality := player.craft.rawMaterial(readObject(sold.Predicate))
	action := Deliver{Challenge: sold.Challenge, Instance: instance}
	if sold.Kind != nil && *sold.Kind == KindSecret {
		nonce := make([]byte, 32)
		Random.Read(nonce)
		secret := secretSolution{solution, hex.EncodeToString(nonce)}
		player.secrets[sold.Challenge] = secret
		commitment := sha256.Sum256([]byte(write([]any{secret.solution, secret.nonce})))
		action.Secret = &Secret{Quality: quality, Commitment: hex.EncodeToString(commitment[:])}
	}
	return action
}

// trade follows rules 2 and 3: it buys one challenge or lowers all offers of others, and offers something new.
func (player *Player) trade(view Turn) []Action {
	me, config := player.start.Me, player.start.Config
	kind := KindClassic
	if config.Variant != nil && (*config.Variant == VariantBelief || *config.Variant == VariantSecret) {
		kind = Kind(*config.Variant)
	}
	isAsynchronous := config.Mode != nil && *config.Mode == ModeAsynchronous
	actions := []Action{}
	lowest := map[string]int{} // the lowest price of each predicate for sale as the same kind as mine
	lower := func(predicate any, price int) {
		key := keyOf(predicate)
		if least, isTaken := lowest[key]; !isTaken || price < least {
			lowest[key] = price
		}
	}
	isMine := func(offer StoreEntry) bool {
		return offer.Kind == nil && kind == KindClassic || offer.Kind != nil && *offer.Kind == kind
	}
	foreign, mine := []StoreEntry{}, 0
	for _, offer := range view.Store {
		if isMine(offer) {
			lower(offer.Predicate, offer.Price)
		}
		if offer.Seller == me {
			mine++
		} else {
			foreign = append(foreign, offer)
		}
	}
	if view.Step == nil || *view.Step == StepDecide {
		bought := false
		for _, offer := range foreign {
			if offer.Price < view.Account && (offer.Price == 0 || player.craft.isWorth(offer)) {
				actions = append(actions, Accept{Challenge: offer.Challenge})
				bought = true
				break
			}
		}
		for _, offer := range foreign {
			if bought || isAsynchronous {
				break
			}
			price := offer.Price - config.Mindec
			if price < 0 {
				price = 0
			}
			actions = append(actions, Reoffer{Challenge: offer.Challenge, Price: price})
			if isMine(offer) {
				lower(offer.Predicate, price)
			}
		}
	}
	if view.Step == nil || *view.Step == StepOffer {
		wanted := config.OffersMin
		if isAsynchronous {
			wanted = 0
		}
		if !isAsynchronous && wanted < 1 || isAsynchronous && mine < config.OffersMax {
			wanted = 1
		}
		for ; wanted > 0; wanted-- {
			predicate, price := player.newOffer(lowest)
			if predicate == nil {
				break
			}
			lower(predicate, price)
			actions = append(actions, Offer{Predicate: predicate, Price: price})
		}
	}
	return actions
}

// newOffer returns a predicate that nobody offers or, if none is left, one at a price below all others; with its price.
func (player *Player) newOffer(lowest map[string]int) (map[string]any, int) {
	wanted := leagueParts(player.start.Config)
	for tries := 0; tries < 300; tries++ {
		parts := wanted
		if parts == 0 {
			parts = 1
			if tries >= 200 {
				parts = 1 + Random.Intn(5)
			}
		}
		predicate, price := player.craft.idea(parts)
		if predicate == nil {
			continue
		}
		taken, isTaken := lowest[keyOf(predicate)]
		if !isTaken || taken > price {
			return predicate, price
		}
		if tries >= 250 && taken > 0 {
			return predicate, taken - 1
		}
	}
	return nil, 0
}

// leagueParts is the number of parts that predicates must have in this match; 0: any number.
func leagueParts(config Config) int {
	switch league := config.League; {
	case league == nil:
		return 0
	case strings.HasPrefix(*league, "level-k"):
		if config.LeagueParameter != nil {
			return *config.LeagueParameter
		}
		return 2
	case *league == "t-ball" || *league == "slow-pitch":
		return 1
	}
	return 0
}

// keyOf is the same for equal predicates: their parts are a set.
func keyOf(predicate any) string {
	parts := map[string]bool{}
	for _, list := range readObject(parse(write(predicate))) {
		for _, part := range list.([]any) {
			parts[write(part)] = true
		}
	}
	keys := []string{}
	for part := range parts {
		keys = append(keys, part)
	}
	sort.Strings(keys)
	return strings.Join(keys, " ")
}

// maxCsp adapts the agent to what a player needs of any challenge.
type maxCsp struct{ agent *Agent }

func (csp maxCsp) isWorth(offer StoreEntry) bool {
	return csp.agent.IsWorth(relationsOf(offer.Predicate), offer.Price)
}

func relationsOf(predicate any) []int { return readList(readInt)(readObject(predicate)["relations"]) }

func (csp maxCsp) idea(parts int) (map[string]any, int) {
	relation, price := csp.agent.Idea()
	if parts == 1 {
		return map[string]any{"relations": []int{relation}}, price
	}
	// Different relations with the same number of rows never imply each other.
	rows, equals := Random.Intn(9), []int{}
	for each := 0; each < 256; each++ {
		if bits.OnesCount(uint(each)) == rows {
			equals = append(equals, each)
		}
	}
	if len(equals) < parts {
		return nil, price
	}
	return map[string]any{"relations": pick(equals, parts)}, price
}

func (csp maxCsp) rawMaterial(predicate map[string]any) (map[string]any, map[string]any, string) {
	instance := csp.agent.RawMaterial(relationsOf(predicate))
	values := csp.agent.Solve(instance)
	constraints, weight := []any{}, 0
	for _, each := range instance.Constraints {
		weight += each.Weight
		constraint := map[string]any{"weight": each.Weight, "relation": each.Relation, "variables": each.Variables}
		constraints = append(constraints, constraint)
	}
	written := map[string]any{"variables": instance.Variables, "constraints": constraints}
	return written, map[string]any{"values": values}, fmt.Sprintf("%d/%d", instance.WeightMet(values), weight)
}

func (csp maxCsp) solve(instance map[string]any) map[string]any {
	read := Instance{Variables: readInt(instance["variables"])}
	for _, each := range instance["constraints"].([]any) {
		fields := readObject(each)
		constraint := Constraint{Weight: readInt(fields["weight"]), Relation: readInt(fields["relation"])}
		copy(constraint.Variables[:], readList(readInt)(fields["variables"]))
		read.Constraints = append(read.Constraints, constraint)
	}
	return map[string]any{"values": csp.agent.Solve(read)}
}

// pick returns different random elements, or all of a shorter list.
func pick[T any](elements []T, count int) []T {
	if count > len(elements) {
		count = len(elements)
	}
	picked := []T{}
	for _, at := range Random.Perm(len(elements))[:count] {
		picked = append(picked, elements[at])
	}
	return picked
}
