package main

// The other challenges: any predicate, the smallest possible raw material, any solution. The challenge's file defines their form.

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

type object = map[string]any

// An other is one of these challenges. material returns raw material, a solution and its quality.
type other struct {
	predicate func(limits limitsOf, parts int) object
	material  func(predicate object) (object, object, string)
	solve     func(instance object, limits limitsOf) object
}

type limitsOf object

func (limits limitsOf) of(name string) int { return readInt(limits[name]) }

// some returns random numbers from 1 to a limit.
func (limits limitsOf) some(parts int, most string, less int) []int {
	numbers := make([]int, parts)
	for at := range numbers {
		numbers[at] = 1 + Random.Intn(limits.of(most)-less)
	}
	return numbers
}

type otherCraft struct {
	limits limitsOf
	other
}

func (craft otherCraft) isWorth(offer StoreEntry) bool { return Random.Intn(Energy) >= offer.Price }

func (craft otherCraft) idea(parts int) (map[string]any, int) {
	return craft.predicate(craft.limits, parts), Random.Intn(Energy + 1)
}

func (craft otherCraft) rawMaterial(predicate map[string]any) (map[string]any, map[string]any, string) {
	instance, solution, quality := craft.material(predicate)
	if solution == nil {
		solution = craft.solve(readObject(parse(write(instance))))
	}
	return instance, solution, quality
}

func (craft otherCraft) solve(instance map[string]any) map[string]any {
	return craft.other.solve(instance, craft.limits)
}

func least(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func upTo(from, to int) []int {
	numbers := []int{}
	for each := from; each <= to; each++ {
		numbers = append(numbers, each)
	}
	return numbers
}

func ints(value any) []int { return readList(readInt)(value) }

func objects(value any) []object { return readList(readObject)(value) }

// valuesFor returns random values of some kinds, from a lowest value.
func valuesFor(count, from, kinds int) []int {
	values := make([]int, count)
	for at := range values {
		values[at] = from + Random.Intn(kinds)
	}
	return values
}

var others = map[string]other{
	"max-sat": {
		func(limits limitsOf, parts int) object {
			longest := least(limits.of("maxVars"), limits.of("maxClauseLength"))
			shortest := parts - 1
			if shortest < 1 {
				shortest = 1
			}
			if shortest > longest {
				return nil
			}
			length := shortest + Random.Intn(longest-shortest+1)
			types := []object{}
			for _, positives := range pick(upTo(0, length), parts) {
				types = append(types, object{"length": length, "positives": positives})
			}
			return object{"types": types}
		},
		func(predicate object) (object, object, string) {
			types := objects(predicate["types"])
			sort.SliceStable(types, func(a, b int) bool { return readInt(types[a]["length"]) < readInt(types[b]["length"]) })
			length, positives := readInt(types[0]["length"]), readInt(types[0]["positives"])
			literals, values := upTo(1, length), make([]int, length)
			for at := range literals {
				if at < positives {
					values[at] = 1
				} else {
					literals[at] = -literals[at]
				}
			}
			clauses := []object{{"weight": 1, "literals": literals}}
			return object{"variables": length, "clauses": clauses}, object{"values": values}, "1/1"
		},
		func(instance object, _ limitsOf) object {
			return object{"values": valuesFor(readInt(instance["variables"]), 0, 2)}
		},
	},
	"knapsack": {
		func(limits limitsOf, parts int) object { return object{"weights": limits.some(parts, "maxWeight", 0)} },
		func(predicate object) (object, object, string) {
			weight := ints(predicate["weights"])[0]
			items := []object{{"weight": weight, "worth": 1}}
			return object{"capacity": weight, "items": items}, object{"packed": []int{1}}, "1/1"
		},
		func(instance object, _ limitsOf) object {
			left, packed := readInt(instance["capacity"]), []int{}
			for at, item := range objects(instance["items"]) {
				if weight := readInt(item["weight"]); weight <= left {
					left -= weight
					packed = append(packed, at+1)
				}
			}
			return object{"packed": packed}
		},
	},
	"cubic-equations": {
		func(_ limitsOf, parts int) object {
			kinds := []object{}
			for _, kind := range pick([]string{"UnknownsAndCubes", "SquaresAndCubes", "CubesOfUnknowns", "CubesOfSquares"}, parts) {
				kinds = append(kinds, object{"$": kind})
			}
			return object{"kinds": kinds}
		},
		func(predicate object) (object, object, string) {
			return object{"questions": []object{{"kind": objects(predicate["kinds"])[0], "a": 1, "b": 1}}}, nil, "1/1"
		},
		func(instance object, _ limitsOf) object {
			answers := []float64{}
			for _, question := range objects(instance["questions"]) {
				answers = append(answers, root(question))
			}
			return object{"answers": answers}
		},
	},
	"pseudo-boolean": {
		func(limits limitsOf, parts int) object {
			shapes := []object{}
			for ; parts > 0; parts-- {
				terms := 1 + Random.Intn(least(limits.of("maxTerms"), limits.of("maxVars")))
				coefficients, sum := limits.some(terms, "maxCoefficient", 0), 0
				for _, each := range coefficients {
					sum += each
				}
				comparison := object{"$": "AtLeast"}
				shapes = append(shapes, object{"coefficients": coefficients, "comparison": comparison, "bound": Random.Intn(sum + 1)})
			}
			return object{"shapes": shapes}
		},
		pseudoBooleanMaterial,
		func(instance object, _ limitsOf) object {
			return object{"values": valuesFor(len(instance["variables"].([]any)), 0, 2)}
		},
	},
	"travelling-salesman": {
		func(limits limitsOf, parts int) object {
			return object{"distances": limits.some(parts, "maxDistance", 0)}
		},
		func(predicate object) (object, object, string) {
			distance := ints(predicate["distances"])[0]
			instance := object{"cities": 3, "distances": []int{distance, distance, distance}}
			return instance, object{"tour": upTo(1, 3)}, "1/1"
		},
		func(instance object, _ limitsOf) object { return object{"tour": upTo(1, readInt(instance["cities"]))} },
	},
	"vertex-cover": {
		func(limits limitsOf, parts int) object {
			joins := []object{}
			for _, a := range upTo(1, limits.of("colours")) {
				for _, b := range upTo(a, limits.of("colours")) {
					joins = append(joins, object{"a": a, "b": b})
				}
			}
			return object{"joins": pick(joins, parts)}
		},
		func(predicate object) (object, object, string) {
			join := objects(predicate["joins"])[0]
			instance := object{"colours": []any{join["a"], join["b"]}, "edges": []object{{"a": 1, "b": 2}}}
			return instance, object{"cover": []int{1}}, "1/1"
		},
		func(instance object, _ limitsOf) object {
			isIn, cover := map[int]bool{}, []int{}
			for _, edge := range objects(instance["edges"]) {
				if a := readInt(edge["a"]); !isIn[a] {
					isIn[a] = true
					cover = append(cover, a)
				}
			}
			sort.Ints(cover)
			return object{"cover": cover}
		},
	},
	"graph-colouring": {
		func(limits limitsOf, parts int) object { return object{"gaps": limits.some(parts, "maxVertices", 1)} },
		func(predicate object) (object, object, string) {
			gap := ints(predicate["gaps"])[0]
			colours := make([]int, gap+1)
			for at := range colours {
				colours[at] = 1
			}
			colours[gap] = 2
			instance := object{"vertices": gap + 1, "edges": []object{{"a": 1, "b": gap + 1}}}
			return instance, object{"colours": colours}, "1/1"
		},
		func(instance object, limits limitsOf) object {
			return object{"colours": valuesFor(readInt(instance["vertices"]), 1, limits.of("colours"))}
		},
	},
	"job-scheduling": {
		func(limits limitsOf, parts int) object { return object{"durations": limits.some(parts, "longest", 0)} },
		func(predicate object) (object, object, string) {
			jobs := ints(predicate["durations"])[:1]
			return object{"speeds": []int{1}, "jobs": jobs}, object{"machines": []int{1}}, "1/1"
		},
		func(instance object, _ limitsOf) object {
			speeds, jobs := instance["speeds"].([]any), instance["jobs"].([]any)
			return object{"machines": valuesFor(len(jobs), 1, len(speeds))}
		},
	},
	"longest-common-subsequence": {
		func(limits limitsOf, parts int) object {
			letters := strings.Split("abcdefghijklmnopqrst"[:limits.of("maxLetters")], "")
			return object{"letters": pick(letters, parts)}
		},
		func(predicate object) (object, object, string) {
			word := predicate["letters"].([]any)[:1]
			return object{"a": word, "b": word}, object{"a": []int{1}, "b": []int{1}}, "1/1"
		},
		// The letters that are at the same place in both words.
		func(instance object, _ limitsOf) object {
			a, b, same := instance["a"].([]any), instance["b"].([]any), []int{}
			for at := 0; at < least(len(a), len(b)); at++ {
				if a[at] == b[at] {
					same = append(same, at+1)
				}
			}
			return object{"a": same, "b": same}
		},
	},
	"number-partition": {
		func(limits limitsOf, parts int) object { return object{"numbers": limits.some(parts, "largest", 0)} },
		func(predicate object) (object, object, string) {
			number := ints(predicate["numbers"])[0]
			return object{"numbers": []int{number, number}}, object{"heaps": []int{1, 2}}, "1/1"
		},
		func(instance object, _ limitsOf) object {
			return object{"heaps": valuesFor(len(instance["numbers"].([]any)), 1, 2)}
		},
	},
	"set-cover": {
		func(limits limitsOf, parts int) object {
			return object{"sizes": pick(upTo(1, least(limits.of("maxSize"), limits.of("maxMember"))), parts)}
		},
		func(predicate object) (object, object, string) {
			members := upTo(1, ints(predicate["sizes"])[0])
			return object{"sets": []object{{"cost": 1, "members": members}}}, object{"chosen": []int{1}}, "1/1"
		},
		func(instance object, _ limitsOf) object {
			return object{"chosen": upTo(1, len(instance["sets"].([]any)))}
		},
	},
}

func pseudoBooleanMaterial(predicate object) (object, object, string) {
	shapes := objects(predicate["shapes"])
	sort.SliceStable(shapes, func(a, b int) bool {
		return len(shapes[a]["coefficients"].([]any)) < len(shapes[b]["coefficients"].([]any))
	})
	shape := shapes[0]
	comparison, bound, sum := readObject(shape["comparison"])["$"], readInt(shape["bound"]), 0
	variables, literals, values := []string{}, []object{}, []int{}
	value := 1
	if comparison == "AtMost" || bound == 0 {
		value = 0
	}
	for at, coefficient := range ints(shape["coefficients"]) {
		sum += coefficient
		variable := "x" + strconv.Itoa(at+1)
		variables = append(variables, variable)
		literals = append(literals, object{"$": "Positive", "variable": variable})
		values = append(values, value)
	}
	quality := "1/1"
	if comparison == "Exactly" && bound != value*sum {
		quality = "0/1"
	}
	constraint := object{"weight": 1, "shape": shape, "literals": literals}
	return object{"constraints": []object{constraint}, "variables": variables}, object{"values": values}, quality
}

// root is the positive root, by bisection.
func root(question object) float64 {
	kind := readString(readObject(question["kind"])["$"])
	a, b := readNumber(question["a"]), readNumber(question["b"])
	low, high := 0.0, a+b+1
	for tries := 0; tries < 100; tries++ {
		x := (low + high) / 2
		middle := a * x * x
		if strings.Contains(kind, "Unknowns") {
			middle = a * x
		}
		if strings.HasPrefix(kind, "Cubes") {
			middle = -middle
		}
		if math.Pow(x, 3)+middle < b {
			low = x
		} else {
			high = x
		}
	}
	return low
}
