export type Search = Readonly<Record<string, string | undefined>>

/** Every query parameter stays text: "?code=0123" must not become a number. */
export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(kept.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return text ? `?${text}` : ''
}
