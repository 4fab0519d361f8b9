/**
 * On what terms a field, a tool or a value passes. free: no price hangs on it. tokens: whatever comes of it is in the tokens that the
 * answer names. priced: it has a price of its own. forced: the gateway sends something else. refused: the sentence after its name.
 */
export type Terms = 'free' | 'tokens' | { readonly priced: string } | { readonly forced: string } | { readonly refused: string }
export type TermsTable = Readonly<Record<string, Terms>>

/** Names in one text, apart by spaces. */
export const each = (names: string, terms: Terms): TermsTable =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, terms]),
  )
export const free = (names: string): TermsTable => each(names, 'free')
export const tokens = (names: string): TermsTable => each(names, 'tokens')
export const refused = (names: string, why: string): TermsTable => each(names, { refused: why })
export const priced = (names: string, how: string): TermsTable => each(names, { priced: how })

/** Refusal of a value, as a sentence about `name`; undefined if it is allowed. */
export function refusalOf(terms: Terms | undefined, name: string): string | undefined {
  return typeof terms === 'object' && 'refused' in terms ? `\`${name}\` ${terms.refused}` : undefined
}

/** Names of a table that a request may not use at all. */
export const refusedNames = (table: TermsTable): readonly string[] => Object.keys(table).filter((name) => refusalOf(table[name], name) !== undefined)

/** Members of a usage object, by path; elements of a list by `[]`. */
export const paths = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))
