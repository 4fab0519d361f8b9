import { type Lang, LANGUAGES, readsHan } from '#platform/shared/languages.ts'

/** A violation of an invariant. `rule` names the invariant, `subject` the object that violates it. */
export interface RobotViolation {
  readonly rule: string
  readonly subject: string
  readonly seen: string
  readonly expected: string
}

/** Internal names and values of the program, which customers must never see. */
const RAW: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['an unfilled placeholder', /\$?\{[a-zA-Z]\w*\}/],
  ['an empty value', /\b(?:undefined|NaN|null|Infinity)\b(?!\w)/],
  ['an object', /\[object \w+\]/],
  ['a name of an error', /\b[A-Z]{2,}(?:_[A-Z]{2,})+\b/],
  ['a key of a text or a raw state', /(?<![\w./@:-])[a-z]{1,20}(?:_[a-z]{2,})+(?:_\w+)?(?![\w/@-])/],
  ['a kind of a ledger entry', /\b(?:service\.charged|gateway\.usage|payment\.\w+|withdrawal\.\w+|batch:\d+)\b/],
]
/** Intended words that look like internal names: of models, files, settings in examples. */
const INTENDED_WORDS =
  /\b(?:OPENAI_API_KEY|MINGXI_API_KEY|OPENAI_BASE_URL|ANTHROPIC_\w+|GEMINI_API_KEY|GOOGLE_\w+|api_token|base_url|api_key|max_tokens|[a-z_]+@[\w.]+)\b/g
const HAN = /\p{Script=Han}/u

/** Finds faults in a text for people. `lang`: also reports sentences in another language; omitted for mixed pages. */
export function findWrongWords(text: string, where: string, lang?: Lang): RobotViolation[] {
  const plain = text.replace(INTENDED_WORDS, '')
  const found = RAW.flatMap(([what, pattern]) => {
    const [hit] = pattern.exec(plain) ?? []
    return hit === undefined ? [] : [{ rule: 'words', subject: where, seen: `${what}: ${quoteAround(plain, hit)}`, expected: 'a text for people' }]
  })
  if (lang !== undefined && readsHan(lang) && text.length > 0 && !HAN.test(text)) found.push({ rule: 'words', subject: where, seen: text, expected: 'Chinese' })
  if (lang !== undefined && LANGUAGES[lang].script === 'latin' && HAN.test(text)) found.push({ rule: 'words', subject: where, seen: text, expected: 'English' })
  return found
}

function quoteAround(text: string, hit: string): string {
  const at = text.indexOf(hit)
  return text.slice(Math.max(0, at - 40), at + hit.length + 40).replaceAll(/\s+/g, ' ')
}
