package main

// The dialogue of Lambda Punter: newDialogue turns messages into calls of the Agent in agent.go.

import "os"

func main() { playLines(os.Stdin, os.Stdout, newDialogue()) }

func newDialogue() Dialogue {
	var agent *Agent
	return func(told Told, body int) Said {
		switch message := told.(type) {
		case Setup:
			agent = NewAgent(message)
			bets := []Future{}
			if message.Settings != nil && message.Settings.Futures {
				bets = append(bets, agent.Futures()...)
			}
			return Ready{Ready: message.Punter, Futures: bets}
		case Turn:
			logNotes(message.Notes)
			return agent.Move(message.Moves).(Said)
		case Stop:
			logNotes(message.Notes)
			return Stopped{}
		}
		return nil
	}
}

func logNotes(notes []string) {
	for _, note := range notes {
		Log(note)
	}
}

func caseMessage(saved map[string]any) Told { return readTold(saved) }
func caseAnswer(said Said) any              { return said.JSON() }
