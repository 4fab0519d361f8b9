declare const named: unique symbol
/** Name of a figure on a page. Only `defineFigures` makes one, so that each name has its source in one list. */
export type Figure = string & { readonly [named]: true }

/** Source of a figure: the call, and the field of its reply. */
export interface FigureSource {
  readonly call: string
  readonly field: string
}

/** The names of a list of figures, as values that pages attach to the text they show. */
export function defineFigures<const F extends Readonly<Record<string, FigureSource>>>(sources: F): { readonly [K in keyof F]: Figure } {
  return Object.fromEntries(Object.keys(sources).map((name) => [name, name])) as unknown as { readonly [K in keyof F]: Figure }
}
