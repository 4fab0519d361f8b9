/** Parsed content of a request. */
export type RuleContent = Record<string, any>

/** A rule of a vendor for one field, beyond what its types express. */
export interface FieldRule {
  /** Calls that the rule concerns: a method, or an HTTP method with a path. */
  readonly calls: readonly string[]
  /** Path of the field, with dots. */
  readonly field: string
  readonly rule: string
  /** True for a value that follows the rule. An absent field is passed only if the rule is `required`. */
  readonly holds: (value: any, content: RuleContent, now: Date) => boolean
  readonly required?: true
  /** The vendor's error code for a breach. */
  readonly code: string
  /** Page, issue or SDK file that states the rule. */
  readonly source: string
}

/** A figure of a vendor, with its source. */
export interface VendorFigure {
  readonly value: number
  readonly source: string
}

export interface BrokenRule {
  readonly code: string
  readonly field: string
  readonly rule: string
}

const readField = (content: RuleContent, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at === null || at === undefined ? undefined : (at as RuleContent)[name]), content)

/** The first rule that a request breaks. */
export function findBrokenRule(rules: readonly FieldRule[], call: string, content: RuleContent, now: Date): BrokenRule | undefined {
  return rules.find(({ calls, field, holds, required }) => {
    if (!calls.includes(call)) return false
    const value = readField(content, field)
    return value === undefined && !required ? false : !holds(value, content, now)
  })
}

/** Path of the first empty text anywhere in a request. */
export function findEmptyText(value: unknown, at = ''): string | undefined {
  if (value === '') return at
  if (!value || typeof value !== 'object') return undefined
  for (const [name, each] of Object.entries(value)) {
    const found = findEmptyText(each, at ? `${at}.${name}` : name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Characters of a text, not UTF-16 units. */
export const countCharacters = (text: string): number => [...text].length
