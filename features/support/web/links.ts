export interface LinkedTextPart {
  readonly text: string
  /** Set if the part is an address that may be linked. */
  readonly href?: string
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`{}|\\^\u3000-\u303f\uff00-\uffef]+/gi
const TAIL = /[.,;:!?)\]]+$/

/** Splits a text into plain parts and web addresses. Only http and https become links; nothing is parsed as markup. */
export function splitLinks(text: string): LinkedTextPart[] {
  const parts: LinkedTextPart[] = []
  let from = 0
  for (const match of text.matchAll(ADDRESS)) {
    const shown = match[0].replace(TAIL, '')
    const href = parseWebAddress(shown)
    if (!href) continue
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ text: shown, href })
    from = match.index + shown.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}

function parseWebAddress(text: string): string | undefined {
  try {
    const url = new URL(text)
    // "https://bank.example@thief.example" shows one host and leads to another
    return (url.protocol === 'https:' || url.protocol === 'http:') && !url.username && !url.password ? url.href : undefined
  } catch {
    return undefined
  }
}
