import * as z from 'zod'
import { caseId } from '../cases/cases.ts'
import { QUOTED_CHARACTERS_MAX } from '../histories/other-answers.ts'
import { contestId, matchNumber, seatId, sha256Hex } from '../ids.ts'
import { isolationTier } from '../limits.ts'
import { personId } from '../people/people.ts'
import { teamId } from '../people/teams.ts'
import { evidenceReference, REFERENCE_SENTENCE_MAX, RULE_CHARACTERS_MAX } from './evidence-reference.ts'

/** The maximum number of items of a dossier, and of dossiers of one owner and of a class. */
export const DOSSIER_ITEMS_MAX = 200
export const DOSSIERS_OF_OWNER_MAX = 50
export const DOSSIERS_MAX = 1_000
/** Maximum characters of a title and of a note. */
export const DOSSIER_TITLE_MAX = 100
export const NOTE_CHARACTERS_MAX = 4_000
/** Maximum characters of a line of a history that a dossier quotes. */
export const RECORD_CHARACTERS_MAX = 2_000
/** Maximum sentences about what would have followed another answer, and quoted messages that asked for it. */
export const INSTEAD_SENTENCES_MAX = 20
export const ASKED_MESSAGES_MAX = 20

const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed(), 'a lone surrogate (half of a character) is not allowed')
const words = (most: number) => text(most).refine((value) => value.trim() !== '', 'expected at least one character')

export const dossierTitle = words(DOSSIER_TITLE_MAX)
export const noteText = text(NOTE_CHARACTERS_MAX)
export const dossierId = z.uuid()
export type DossierId = z.infer<typeof dossierId>

/** The owner of a dossier: a team, a person without one, or the person at this machine. */
const dossierOwner = z.discriminatedUnion('who', [
  z.strictObject({ who: z.literal('team'), team: teamId }),
  z.strictObject({ who: z.literal('person'), person: personId }),
  z.strictObject({ who: z.literal('host') }),
])
export type DossierOwner = z.infer<typeof dossierOwner>

/** Readers of a dossier besides its owner. */
export const readerGroups = ['nobody', 'staff', 'class'] as const
/** The readers of a dossier besides its owner: a group, or the people of a case, which are both sides, its panel and staff. */
export const dossierReaders = z.union([z.enum(readerGroups), caseId])
export type DossierReaders = z.infer<typeof dossierReaders>

/** The recorded facts of a line, which anybody can compare with the history. */
export const lineFacts = z.strictObject({
  kind: z.enum(['header', 'input', 'fault', 'console', 'outcome']),
  /** ms on the match clock; null: the line has no time. */
  at: z.number().min(0).nullable(),
  /** The beginning of the line's text in the history; '': an agent printed it, which is for its team alone. */
  record: text(RECORD_CHARACTERS_MAX),
  /** The names of the seats, in their order. */
  players: z.array(text(100)).max(1_000),
})
export type LineFacts = z.infer<typeof lineFacts>

const common = { id: z.uuid(), added: z.iso.datetime() }
const ofMatch = { contest: contestId, match: matchNumber, head: sha256Hex }

const eventItem = z.strictObject({
  kind: z.literal('event'),
  ...common,
  reference: evidenceReference,
  facts: lineFacts,
  /** A remark of the owner; '': none. */
  note: noteText,
})
const noteItem = z.strictObject({ kind: z.literal('note'), ...common, text: words(NOTE_CHARACTERS_MAX) })

/** A rule as it was when it was added: `sha256` is that of the text in UTF-8. */
const ruleItem = z.strictObject({
  kind: z.literal('rule'),
  ...common,
  /** A game, or `security`. */
  book: text(64),
  title: text(200),
  text: words(RULE_CHARACTERS_MAX),
  sha256: sha256Hex,
})

/** The three verdicts on a history. */
export const evidenceVerdict = z.enum(['genuine', 'signer-unknown', 'not-genuine'])
export type EvidenceVerdict = z.infer<typeof evidenceVerdict>

const verdictItem = z.strictObject({
  kind: z.literal('verdict'),
  ...common,
  ...ofMatch,
  verdict: evidenceVerdict,
  /** The fingerprint of the key that signed it; null: it is not genuine. */
  fingerprint: sha256Hex.nullable(),
  /** The checks that passed, or the one that failed, in sentences. */
  says: z.array(text(2_000)).max(20),
})

/** The agent that the program of the class ran again. */
const runAgain = {
  seat: seatId,
  /** Its package: a version of it. */
  agent: sha256Hex,
  /** Its name in the match, or in the class. */
  name: text(100),
  /** True: it is the version that played the seat, as the header of the match says. */
  isPinned: z.boolean(),
  isolation: isolationTier,
}

const quoted = text(QUOTED_CHARACTERS_MAX)

/**
 * A decision that the program asked an agent for again: it received every message that the seat had received until then. A statement of
 * the program, which the class signs with the dossier; the history proves the recorded half alone.
 */
const askedAgainItem = z.strictObject({
  kind: z.literal('asked-again'),
  ...common,
  /** The line that records the answer, as of an event. */
  reference: evidenceReference,
  facts: lineFacts,
  ...runAgain,
  /** Moves that it was asked for, with this one. */
  moves: z.int().min(0),
  /** The messages that asked for the answer, by body: the beginnings of JSON texts, or faults in words. */
  asked: z
    .array(
      z.strictObject({
        body: z.int().min(0),
        message: quoted,
        /** null: none came. */
        recorded: quoted.nullable(),
        given: quoted.nullable(),
      }),
    )
    .max(ASKED_MESSAGES_MAX),
  same: z.boolean(),
  /** The number of the first event whose answer it would have given differently; null: none up to this one. */
  differs: z.int().min(1).max(999_999_999).nullable(),
  /** Why it gave no answer, and at which event; null: it gave one. */
  failed: z.strictObject({ move: z.int().min(1).max(999_999_999), text: quoted }).nullable(),
  /** The sentences about what would have followed; empty: nothing, or the same. */
  instead: z.array(text(REFERENCE_SENTENCE_MAX)).max(INSTEAD_SENTENCES_MAX),
})

const sentences = z.array(text(REFERENCE_SENTENCE_MAX)).max(INSTEAD_SENTENCES_MAX)

/**
 * A match that the program played again, with its settings, seed and limits, and one agent exchanged or none. A statement like the one
 * above: the new run is not in the dossier.
 */
const playedAgainItem = z.strictObject({
  kind: z.literal('played-again'),
  ...common,
  /** The line of the recorded result. */
  reference: evidenceReference,
  facts: lineFacts,
  ...runAgain,
  /** True if it ended with the same places, scores and state. */
  same: z.boolean(),
  /** The new result. */
  result: text(REFERENCE_SENTENCE_MAX),
  /** The number of the first event that is another one, as recorded and as played now; null: all are the same. */
  differs: z.strictObject({ move: z.int().min(1).max(999_999_999), recorded: sentences, again: sentences }).nullable(),
})

const dossierItem = z.discriminatedUnion('kind', [
  eventItem,
  noteItem,
  ruleItem,
  verdictItem,
  askedAgainItem,
  playedAgainItem,
])
export type DossierItem = z.infer<typeof dossierItem>

/** A dossier as the class keeps it: a file of its own. */
export const keptDossier = z.strictObject({
  format: z.literal('tartaglia-kept-dossier/1'),
  id: dossierId,
  owner: dossierOwner,
  title: dossierTitle,
  made: z.iso.datetime(),
  readers: dossierReaders,
  items: z.array(dossierItem).max(DOSSIER_ITEMS_MAX),
})
export type KeptDossier = z.infer<typeof keptDossier>

/** The file `dossier.json` of a downloaded dossier. */
export const dossierFile = z.strictObject({
  format: z.literal('tartaglia-dossier/1'),
  title: dossierTitle,
  /** Its owner: a team, or the role of a person. */
  by: text(100),
  written: z.iso.datetime(),
  items: z.array(dossierItem).max(DOSSIER_ITEMS_MAX),
})
export type DossierFile = z.infer<typeof dossierFile>

/** The file `manifest.json` of a downloaded dossier: what the class signed. */
export const dossierManifest = z.strictObject({
  format: z.literal('tartaglia-dossier/1'),
  /** The SHA-256 of every other file, by path. */
  files: z.record(z.string().max(200), sha256Hex),
  /** The raw Ed25519 public key. */
  key: sha256Hex,
  signature: z.string().regex(/^[0-9a-f]{128}$/, 'expected 128 lower-case hex digits'),
})
