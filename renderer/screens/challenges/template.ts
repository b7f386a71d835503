/** The initial text of a new challenge: small, complete, and easy to change. */
export const template = `challenge my-challenge "My challenge"

text {{
  Choose numbers from a list. Together they must not be more than a limit; the nearer to it, the better.
}}

config {
  most = 20 in 1..100
}

dictionary {{
  Predicate = "numbers up to" <largest> int.
  Instance = "limit" <limit> int "of" <numbers> List(int).
  Solution = "choose" <chosen> List(int).
}}

legal predicate {
  require predicate.largest in 1..1000 else "The largest number is 1 to 1000, not {predicate.largest}."
}

legal instance {
  require instance.limit >= 1 else "The limit is at least 1."
  require length(instance.numbers) in 1..config.most else "There are 1 to {config.most} numbers."
  for number in instance.numbers {
    require number in 1..predicate.largest else "A number is 1 to {predicate.largest}, not {number}."
  }
}

// Numbers are chosen by their places in the list, from 1.
define total(chosen: list of int, numbers: list of int) = sum(numbers[i] for i in chosen)

feasible solution {
  for i in solution.chosen {
    require i in 1..length(instance.numbers) else "There is no number {i}."
  }
  require distinct(solution.chosen) else "A number can be chosen once."
  require total(solution.chosen, instance.numbers) <= instance.limit else "That is more than the limit."
}

measure = total(solution.chosen, instance.numbers)
goal = max
bound = min(instance.limit, sum(number for number in instance.numbers))

property predicate {
  Predicate.largest: range 1 50
}

property instance {
  Instance.limit: range (predicate.largest) (3 * predicate.largest)
  Instance.numbers: length range 1 config.most, element range 1 predicate.largest
}

property solution {
  Solution.chosen: length range 1 length(instance.numbers), distinct, element range 1 length(instance.numbers)
}

picture bars {
  for number at i in instance.numbers {
    bar number label number mark i in solution.chosen
  }
}

reference "the first that fit" greedy {
  chosen = fold(
    if total(chosen + [i], instance.numbers) <= instance.limit then chosen + [i] else chosen
    from chosen: list of int = []
    for i in 1..length(instance.numbers)
  )
}

reference "all numbers" wrong {
  chosen = [i for i in 1..length(instance.numbers)]
}

example "two of three" {
  predicate {{ numbers up to 9 }}
  instance {{ limit 10 of 3 6 8 }}
  solution {{ choose 1 2 }}
  quality = 9/10
}
`
