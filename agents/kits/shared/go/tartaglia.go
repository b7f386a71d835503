package main

// The dialogue of Tartaglia's programs. Do not print to the standard output, which would write into the dialogue: use Log
// instead; only your team can read it.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand"
	"os"
	"strings"
)

// Log prints for your own team.
func Log(words ...any) { fmt.Fprintln(os.Stderr, words...) }

// Random numbers; with equal seeds this program plays equal matches.
var Random = rand.New(rand.NewSource(seed()))

func seed() int64 {
	hash := fnv.New64a()
	hash.Write([]byte(os.Getenv("TARTAGLIA_SEED")))
	return int64(hash.Sum64())
}

// A Dialogue answers a message to a body of the seat; nil: no answer is wanted.
type Dialogue func(told Told, body int) Said

// playLines reads and writes one JSON object per line, to the end of the input.
func playLines(in io.Reader, out io.Writer, dialogue Dialogue) {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			answerLine(line, out, dialogue)
		}
		if err != nil {
			return
		}
	}
}

func answerLine(line string, out io.Writer, dialogue Dialogue) {
	message := readObject(parse(line))
	// It needs no answer: it gives the fault of the last answer, or says that it came too late.
	if message["type"] == "refused" {
		Log("refused:", message["text"])
		return
	}
	question, isQuestion := message["question"]
	body, hasBody := message["body"]
	number := 0
	if hasBody {
		number = readInt(body)
	}
	if !isQuestion {
		return
	}
	said := dialogue(readTold(message), number)
	if said == nil {
		panic(fmt.Sprint("no answer to ", message["type"]))
	}
	answer := said.JSON()
	answer["question"] = question
	if hasBody {
		answer["body"] = body
	}
	io.WriteString(out, write(answer)+"\n")
}

// parse reads a JSON text; its numbers are json.Number.
func parse(text string) any {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	return value
}

// write makes the JSON text of a value.
func write(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

func readObject(value any) map[string]any {
	if object, ok := value.(map[string]any); ok {
		return object
	}
	panic(fmt.Sprintf("expected an object, not %v", value))
}

func readString(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	panic(fmt.Sprintf("expected a text, not %v", value))
}

func readNumber(value any) float64 {
	if number, ok := value.(json.Number); ok {
		if read, err := number.Float64(); err == nil {
			return read
		}
	}
	panic(fmt.Sprintf("expected a number, not %v", value))
}

func readInt(value any) int {
	if number, ok := value.(json.Number); ok {
		if read, err := number.Int64(); err == nil {
			return int(read)
		}
	}
	panic(fmt.Sprintf("expected a whole number, not %v", value))
}

func readBool(value any) bool {
	if yes, ok := value.(bool); ok {
		return yes
	}
	panic(fmt.Sprintf("expected true or false, not %v", value))
}

func readAny(value any) any { return value }

func readList[T any](read func(any) T) func(any) []T {
	return func(value any) []T {
		given, ok := value.([]any)
		if !ok {
			panic(fmt.Sprintf("expected a list, not %v", value))
		}
		list := make([]T, len(given))
		for at, each := range given {
			list[at] = read(each)
		}
		return list
	}
}

// orNil reads what may be absent or null, and is nil then.
func orNil[T any](read func(any) T) func(any) T {
	return func(value any) T {
		if value == nil {
			var none T
			return none
		}
		return read(value)
	}
}

func orPointer[T any](read func(any) T) func(any) *T {
	return func(value any) *T {
		if value == nil {
			return nil
		}
		found := read(value)
		return &found
	}
}

// field reads a field, and names it if it cannot be read.
func field[T any](fields map[string]any, name string, read func(any) T) T {
	defer func() {
		if problem := recover(); problem != nil {
			panic(fmt.Sprintf("%s: %v", name, problem))
		}
	}()
	return read(fields[name])
}

func has(fields map[string]any, name string) bool {
	_, found := fields[name]
	return found
}

func jsonList[T any](list []T, write func(T) any) []any {
	written := make([]any, len(list))
	for at, each := range list {
		written[at] = write(each)
	}
	return written
}

func jsonUnless(isNil bool, write func() any) any {
	if isNil {
		return nil
	}
	return write()
}

// Ptr returns a pointer to a value, for fields that may be absent.
func Ptr[T any](value T) *T { return &value }
