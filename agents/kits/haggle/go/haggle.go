package main

// The dialogue of Haggling: newDialogue turns messages into calls of the Agent in agent.go.

import "os"

func main() { playLines(os.Stdin, os.Stdout, newDialogue()) }

func newDialogue() Dialogue {
	var agent *Agent
	return func(told Told, body int) Said {
		switch message := told.(type) {
		case Start:
			agent = NewAgent(message.Opt)
			return Ready{}
		case Turn:
			return Demand{Offer: agent.Offer(message.Offer)}
		}
		return nil
	}
}

// caseMessage reads a message of a saved move, which has the form that scripts get.
func caseMessage(saved map[string]any) Told {
	if saved["type"] == "turn" {
		return Turn{Offer: orNil(readList(readInt))(saved["offer"])}
	}
	saved["max_rounds"] = saved["maxRounds"]
	return Start{Opt: readOpt(saved)}
}

func caseAnswer(said Said) any { return map[string]any{"value": said.JSON()["offer"]} }
