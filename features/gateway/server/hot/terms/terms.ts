/**
 * Conditions under which a field, a tool or a value passes. free: it does not affect the price. tokens: its cost is in the tokens that the
 * answer reports. priced: it has a separate price. forced: the gateway sends another value. refused: the sentence after its name.
 */
export type FieldTerms = 'free' | 'tokens' | { readonly priced: string } | { readonly forced: string } | { readonly refused: string }
export type TermsTable = Readonly<Record<string, FieldTerms>>

/** Names in one string, separated by spaces. */
export const assignTerms = (names: string, terms: FieldTerms): TermsTable =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, terms]),
  )
export const markFree = (names: string): TermsTable => assignTerms(names, 'free')
export const markTokens = (names: string): TermsTable => assignTerms(names, 'tokens')
export const markRefused = (names: string, why: string): TermsTable => assignTerms(names, { refused: why })
export const markPriced = (names: string, how: string): TermsTable => assignTerms(names, { priced: how })

/** Refusal of a value, as a sentence about `name`; undefined if it is allowed. */
export function describeTermsRefusal(terms: FieldTerms | undefined, name: string): string | undefined {
  return typeof terms === 'object' && 'refused' in terms ? `\`${name}\` ${terms.refused}` : undefined
}

/** Names of a table that a request may not use. */
export const listRefusedNames = (table: TermsTable): readonly string[] =>
  Object.keys(table).filter((name) => describeTermsRefusal(table[name], name) !== undefined)

/** Members of a usage object, by path; elements of a list by `[]`. */
export const parsePaths = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))
