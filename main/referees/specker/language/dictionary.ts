/** specker.cd, word for word: rules and referees read no files. */
export const DICTIONARY = `// Messages between the administrator of the Specker Challenge Game and a player (section 2.2), one text a line. Predicates,
// raw material and solutions are texts of the challenge's own dictionary. Amounts are integers of 10^-9 energy.

// From the administrator.
Told = <question> Option(Question) <message> Message.
Question = "question" *s <number> int *s "within" *s <limitMs> double *s.
Message = Start | Turn | Removed | Refused.

// Registration: challenge and config are announced, and "ready" is waited for.
Start = "start" *s <protocol> int *s "me" *s <me> int *s "players" *s <players> int *s <challenge> Announced *s <config> Config.
Announced = "challenge" *s <name> string *s <source> string <config> List(Setting).
Setting = *s "set" *s <name> string *s <value> double.
Config = "init" *s <init> int *s "maxTurns" *s <maxTurns> int *s "mindec" *s <mindec> int *s
  "acceptOrReoffer" *s <acceptOrReoffer> string *s "offersMin" *s <offersMin> int *s "offersMax" *s <offersMax> int
  <more> Option(Choices).
// From protocol 2 on.
Choices = *s "order" *s <order> string *s "mode" *s <mode> string *s "duration" *s <duration> int
  <timeslot> Option(Timeslot) *s "variant" *s <variant> string *s "profitFactor" *s <profitFactor> double *s
  "belief" *s <f> string <league> Option(League) <leagueParameter> Option(LeagueParameter)
  <falseSecrets> Option(FalseSecrets) <judgement> Option(Judgement).
Timeslot = *s "timeslot" *s <timeslot> int.
League = *s "league" *s <league> string.
LeagueParameter = *s "number" *s <leagueParameter> int.
FalseSecrets = *s "false" *s "secrets" *s <falseSecrets> string.
Judgement = *s "judgement" *s <judgement> string.

Turn = "turn" *s <protocol> int <me> Option(Me) <challenge> Option(Played) <config> Option(Rules) *s "round" *s <round> int *s
  "trading" *s <trading> boolean <step> Option(Step) *s "account" *s <account> int <players> List(Player) *s "store" <store> List(Entry) *s "toDeliver" <toDeliver> List(Sale) *s
  "toSolve" <toSolve> List(Purchase) <toReveal> Option(ToReveal) *s "events" <events> List(Event).
// From protocol 3 on; what is played, and the config, as in the beginning.
Me = *s "me" *s <me> int.
Played = *s "challenge" *s <name> string <config> List(Setting).
Rules = *s "config" *s <config> Config.
Step = *s "step" *s <step> string.
Player = *s "player" *s <seat> int *s "has" *s <account> int *s "removed" *s <removed> boolean.
Entry = *s "challenge" *s <challenge> int *s "of" *s <seller> int *s "at" *s <price> int <kind> Option(Kind) <f> Option(F) *s
  <predicate> string.
Sale = *s "challenge" *s <challenge> int *s "of" *s <seller> int *s "at" *s <price> int <kind> Option(Kind) <f> Option(F) *s
  <predicate> string *s "to" *s <buyer> int.
Purchase = *s "challenge" *s <challenge> int *s "of" *s <seller> int *s "at" *s <price> int <kind> Option(Kind) <f> Option(F)
  *s <predicate> string *s <instance> string <secret> Option(Sealed).
ToReveal = *s "toReveal" <toReveal> List(Debt).
Debt = *s "challenge" *s <challenge> int *s "of" *s <seller> int *s "at" *s <price> int <kind> Option(Kind) <f> Option(F) *s
  <predicate> string *s "to" *s <buyer> int <secret> Sealed.
Kind = *s "kind" *s <kind> string.
F = *s "f" *s <f> int.
Sealed = *s "secret" *s <quality> string *s <commitment> string.

Event = AcceptedEvent | OfferedEvent | ReofferedEvent | DeliveredEvent | SolvedEvent | RefusedEvent | RevealedEvent
  | RemovedEvent | VoidedEvent.
AcceptedEvent = *s "accepted" *s <round> int *s <seat> int *s "challenge" *s <challenge> int *s "at" *s <price> int.
OfferedEvent = *s "offered" *s <round> int *s <seat> int *s "challenge" *s <challenge> int *s "at" *s <price> int
  <kind> Option(Kind) <f> Option(F) <predicate> Option(Wanted).
ReofferedEvent = *s "reoffered" *s <round> int *s <seat> int *s "challenge" *s <challenge> int *s "for" *s <undercut> int *s
  "at" *s <price> int.
DeliveredEvent = *s "delivered" *s <round> int *s <seat> int *s "challenge" *s <challenge> int <secret> Option(Sealed)
  <instance> Option(Material).
SolvedEvent = *s "solved" *s <round> int *s <seat> int *s "challenge" *s <challenge> int *s "quality" *s <quality> string *s
  "payoff" *s <payoff> int <discounted> Option(Discounted) <solution> Option(Reached).
Discounted = *s "discounted" *s <discounted> boolean.
// From protocol 3 on.
Wanted = *s "predicate" *s <predicate> string.
Material = *s "material" *s <instance> string.
Reached = *s "solution" *s <solution> string.
Nonce = *s "nonce" *s <nonce> string.
RefusedEvent = *s "refused" *s <round> int *s <seat> int *s "action" *s <action> int *s <rule> string *s <text> string.
RevealedEvent = *s "revealed" *s <round> int *s <seat> int *s "challenge" *s <challenge> int *s "quality" *s <quality> string
  <solution> Option(Reached) <nonce> Option(Nonce).
RemovedEvent = *s "removed" *s <round> int *s <seat> int *s <rule> string *s <text> string.
VoidedEvent = *s "voided" *s <round> int *s <seat> int *s "challenge" *s <challenge> int *s "to" *s <buyer> int *s
  "refund" *s <refund> int *s "shortfall" *s <shortfall> int *s <text> string.

// A player who is removed; a line that was too late or could not be read.
Removed = "removed" *s <protocol> int *s "round" *s <round> int *s <rule> string *s <text> string.
Refused = "refused" *s <protocol> int <question> Option(Late) *s <text> string.
Late = *s "question" *s <question> int.

// From a player.
Said = Ready | Answer | Unasked.
Ready = "ready" <question> Option(Asked) <protocol> Option(Protocol).
Answer = "answer" <question> Option(Asked) <protocol> Option(Protocol) <actions> List(Action).
Unasked = "unasked" <protocol> Option(Protocol) <actions> List(Action).
Asked = *s "to" *s <question> int.
Protocol = *s "protocol" *s <protocol> int.
Action = Offer | Accept | Reoffer | Deliver | Solve | Reveal.
Offer = *s "offer" *s "at" *s <price> int <kind> Option(Kind) <f> Option(F) *s <predicate> string.
Accept = *s "accept" *s <challenge> int.
Reoffer = *s "reoffer" *s <challenge> int *s "at" *s <price> int.
Deliver = *s "deliver" *s <challenge> int *s <instance> string <secret> Option(Sealed).
Solve = *s "solve" *s <challenge> int *s <solution> string.
Reveal = *s "reveal" *s <challenge> int *s <solution> string *s <nonce> string.
`
