package main

// The dialogue of Cows and Herders: one program plays all herders of a team. newDialogue turns messages into calls of the Team in
// agent.go.

import "os"

func main() { playLines(os.Stdin, os.Stdout, newDialogue()) }

func newDialogue() Dialogue {
	var team *Team
	return func(told Told, body int) Said {
		switch message := told.(type) {
		case Start:
			// Each herder receives the same message.
			if team == nil {
				team = NewTeam(message)
			}
			return Ready{}
		case Perception:
			return Act{Action: team.Act(body, message)}
		}
		return nil
	}
}

func caseMessage(saved map[string]any) Told { return readTold(saved) }
func caseAnswer(said Said) any              { return said.JSON() }
