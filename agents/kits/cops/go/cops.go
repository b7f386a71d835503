package main

// The dialogue of Cops & Robbers, in the lines of the contest of 2005: newDialogue turns messages into calls of the Robber and the
// Cop in agent.go.

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) < 2 || (os.Args[1] != "robber" && os.Args[1] != "cop") {
		Log("usage: agent robber|cop")
		os.Exit(2)
	}
	playText(bufio.NewReader(os.Stdin), os.Stdout, Role(os.Args[1]), newDialogue())
}

func newDialogue() Dialogue {
	role, name, robber, cop := RoleCop, "", (*Robber)(nil), (*Cop)(nil)
	var world World
	return func(told Told, body int) Said {
		switch message := told.(type) {
		case AskRegister:
			role = message.Role
			if role == RoleRobber {
				return Register{Bot: agentName, Ptype: PtypeRobber}
			}
			return Register{Bot: agentName, Ptype: starts}
		case Skeleton:
			name = message.Name
			if role == RoleRobber {
				robber = NewRobber(message)
			} else {
				cop = NewCop(message)
			}
		case World:
			world = message
			if message.Asks == nil {
				return nil
			}
			if *message.Asks == WorldAsksMove {
				return Move{Loc: robber.Move(world), Ptype: PtypeRobber}
			}
			if role == RoleRobber {
				return Informs{}
			}
			return Informs{Informs: cop.Inform(world)}
		case AllInforms:
			if role == RoleRobber {
				return Plan{}
			}
			return Plan{Plan: cop.Plan(message.From, world)}
		case AllPlans:
			ballot := []string{}
			for _, each := range message.From {
				ballot = append(ballot, each.Bot)
			}
			return Vote{Ballot: ballot}
		case Tally:
			if message.Asks == nil {
				return nil
			}
			if *message.Asks == TallyAsksBribe {
				return Bribe{Asks: false}
			}
			move := cop.Move(message.Winner, world)
			if *message.Asks == TallyAsksMove {
				return move
			}
			orders := Orders{Moves: []BotMove{{Bot: name, Loc: move.Loc, Ptype: move.Ptype}}}
			if !isDirty(world, name) {
				orders.Market = Ptr(MarketStraightArrow)
			}
			return orders
		case Offers:
			return RobberOrders{Move: BotMove{Bot: name, Loc: robber.Move(world), Ptype: PtypeRobber}}
		case Accused:
			Log("accused rightly: the game goes on without this cop")
		}
		return nil
	}
}

func isDirty(world World, name string) bool {
	if world.Twist == nil {
		return false
	}
	for _, each := range world.Twist.Dirty {
		if each == name {
			return true
		}
	}
	return false
}

func caseMessage(saved map[string]any) Told { return readTold(saved) }
func caseAnswer(said Said) any              { return said.JSON() }

// playText keeps the dialogue to the end of the game.
func playText(in *bufio.Reader, out io.Writer, role Role, dialogue Dialogue) {
	io.WriteString(out, textOf(dialogue(AskRegister{Role: role}, 0)))
	text := &textReader{in: in, role: role}
	for {
		told := text.message()
		if told == nil {
			return
		}
		if said := dialogue(told, 0); said != nil {
			io.WriteString(out, textOf(said))
		}
		if _, isOver := told.(GameOver); isOver {
			return
		}
	}
}

// textOf makes the lines of a message.
func textOf(said Said) string {
	var text strings.Builder
	say := func(format string, words ...any) { fmt.Fprintf(&text, format+"\n", words...) }
	names := func(section string, all []string) {
		say("%s\\", section)
		for _, each := range all {
			say("%s: %s", section, each)
		}
		say("%s/", section)
	}
	switch message := said.(type) {
	case Register:
		say("reg: %s %s", message.Bot, message.Ptype)
	case Informs:
		say("inf\\")
		for _, each := range message.Informs {
			say("inf: %s %s %s %d %d", each.Bot, each.Loc, each.Ptype, each.World, each.Certainty)
		}
		say("inf/")
	case Plan:
		say("plan\\")
		for _, each := range message.Plan {
			say("plan: %s %s %s %d", each.Bot, each.Loc, each.Ptype, each.World)
		}
		say("plan/")
	case Vote:
		names("vote", message.Ballot)
	case Move:
		say("mov: %s %s", message.Loc, message.Ptype)
	case Orders:
		if message.Market != nil {
			say("cmov\\")
			say("%s:", *message.Market)
		}
		say("mov\\")
		for _, each := range message.Moves {
			say("mov: %s %s %s", each.Loc, each.Ptype, each.Bot)
		}
		say("mov/")
		if message.Market != nil {
			names("acc", message.Accuse)
			say("cmov/")
		}
	case Bribe:
		if message.Asks {
			say("bribe:")
		} else {
			say("nobribe:")
		}
	case RobberOrders:
		say("rmov\\")
		say("mov: %s %s %s", message.Move.Loc, message.Move.Ptype, message.Move.Bot)
		if message.Push != nil {
			say("psh: %s %s", message.Push.Bot, message.Push.Loc)
		} else if message.Choose != nil {
			names("chc", message.Choose)
		} else {
			say("nobribe:")
		}
		say("rmov/")
	}
	return text.String()
}

// A textReader reads messages in lines. They do not say what they ask for: that follows from the role and the world.
type textReader struct {
	in      *bufio.Reader
	role    Role
	name    string
	world   int
	isTwist bool
	isDirty bool
}

// line returns the next line without its end.
func (text *textReader) line() string {
	line, err := text.in.ReadString('\n')
	if err != nil {
		os.Exit(0)
	}
	return strings.TrimRight(line, "\r\n")
}

// value is the rest of a line that begins with a name.
func (text *textReader) value(name string) string {
	line := text.line()
	if !strings.HasPrefix(line, name+": ") {
		panic(fmt.Sprintf("expected %s, not %q", name, line))
	}
	return line[len(name)+2:]
}

// section returns the words of each line up to the end of a section, without their first.
func (text *textReader) section(name string) [][]string {
	lines := [][]string{}
	for line := text.line(); line != name+"/"; line = text.line() {
		lines = append(lines, strings.Split(line, " ")[1:])
	}
	return lines
}

func (text *textReader) expect(wanted string) {
	if line := text.line(); line != wanted {
		panic(fmt.Sprintf("expected %q, not %q", wanted, line))
	}
}

func number(word string) int {
	read, err := strconv.Atoi(word)
	if err != nil {
		panic(err)
	}
	return read
}

// message reads the next message; nil: the line is none.
func (text *textReader) message() Told {
	line := text.line()
	switch {
	case line == "wsk\\":
		return text.skeleton()
	case line == "wor\\":
		return text.worldMessage()
	case line == "from\\":
		return text.from()
	case line == "nowinner:" || strings.HasPrefix(line, "winner: "):
		tally := Tally{Asks: text.tallyAsks()}
		if line != "nowinner:" {
			tally.Winner = Ptr(strings.Split(line, " ")[1])
		}
		return tally
	case line == "nottelling:":
		return Offers{}
	case line == "ofc\\":
		offers := Offers{Bots: []string{}}
		for _, words := range text.section("ofc") {
			offers.Bots = append(offers.Bots, words[0])
		}
		return offers
	case line == "accused:":
		return Accused{}
	case line == "game-over":
		return GameOver{}
	}
	panic(fmt.Sprintf("unknown message %q", line))
}

func (text *textReader) tallyAsks() *TallyAsks {
	switch {
	case text.role == RoleRobber:
		return Ptr(TallyAsksBribe)
	case text.world%2 == 0:
		return nil
	case text.isTwist:
		return Ptr(TallyAsksOrders)
	}
	return Ptr(TallyAsksMove)
}

func (text *textReader) skeleton() Skeleton {
	text.name = text.value("name")
	skeleton := Skeleton{Name: text.name, Robber: text.value("robber")}
	line := text.line()
	for ; line != "nod\\"; line = text.line() {
		skeleton.Cops = append(skeleton.Cops, strings.Split(line, " ")[1])
	}
	for _, words := range text.section("nod") {
		node := Node{Loc: words[0], Tag: NodeTag(words[1]), X: number(words[2]), Y: number(words[3])}
		skeleton.Nodes = append(skeleton.Nodes, node)
	}
	text.expect("edg\\")
	for _, words := range text.section("edg") {
		skeleton.Edges = append(skeleton.Edges, Edge{From: words[0], To: words[1], Type: EdgeType(words[2])})
	}
	text.expect("wsk/")
	return skeleton
}

func (text *textReader) worldMessage() World {
	world := World{World: number(text.value("wor")), Loot: number(text.value("rbd"))}
	line := text.line()
	if line == "dc\\" {
		world.Twist = text.twist()
		line = text.line()
	}
	if line != "bv\\" {
		panic(fmt.Sprintf("expected the banks, not %q", line))
	}
	for _, words := range text.section("bv") {
		world.Banks = append(world.Banks, Bank{Loc: words[0], Value: number(words[1])})
	}
	text.expect("ev\\")
	for _, words := range text.section("ev") {
		world.Evidence = append(world.Evidence, Evidence{Loc: words[0], World: number(words[1])})
	}
	world.Smell = number(text.value("smell"))
	text.expect("pl\\")
	for _, words := range text.section("pl") {
		world.Players = append(world.Players, Player{Bot: words[0], Loc: words[1], Ptype: Ptype(words[2])})
	}
	text.expect("wor/")
	text.world, text.isTwist, text.isDirty = world.World, world.Twist != nil, isDirty(world, text.name)
	if text.role == RoleRobber && !text.isTwist && world.World < 200 {
		world.Asks = Ptr(WorldAsksMove)
	} else if world.World < 200 {
		world.Asks = Ptr(WorldAsksInform)
	}
	return world
}

func (text *textReader) twist() *Twist {
	twist := &Twist{}
	for _, words := range text.section("dc") {
		twist.Dirty = append(twist.Dirty, words[0])
	}
	text.expect("sc\\")
	for _, words := range text.section("sc") {
		twist.Control = append(twist.Control, Control{Brain: words[0], Bot: words[1]})
	}
	text.expect("fac\\")
	for _, words := range text.section("fac") {
		accusation := Accusation{Accuser: words[0], Accused: words[1], World: number(words[2])}
		twist.Accusations = append(twist.Accusations, accusation)
	}
	return twist
}

// from reads the announcements of all brains.
func (text *textReader) from() Told {
	informs, plans, isPlan := AllInforms{}, AllPlans{}, false
	for line := text.line(); line != "from/"; line = text.line() {
		bot := strings.Split(line, " ")[1]
		if text.line() == "plan\\" {
			isPlan = true
			block := PlanFrom{Bot: bot}
			for _, w := range text.section("plan") {
				block.Plan = append(block.Plan, Planned{Bot: w[0], Loc: w[1], Ptype: Ptype(w[2]), World: number(w[3])})
			}
			plans.From = append(plans.From, block)
		} else {
			block := InformsFrom{Bot: bot}
			for _, w := range text.section("inf") {
				inform := Inform{Bot: w[0], Loc: w[1], Ptype: Ptype(w[2]), World: number(w[3]), Certainty: number(w[4])}
				block.Informs = append(block.Informs, inform)
			}
			informs.From = append(informs.From, block)
		}
	}
	if isPlan {
		return plans
	}
	return informs
}
