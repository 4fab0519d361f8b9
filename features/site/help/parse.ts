import type { Article, ProseBlock, ProseInline, NoteKind, SampleReceiptLine, CodeSample } from './blocks.ts'

/** Loads the code samples that a `@samples name` directive names. */
export type SampleReader = (name: string) => readonly CodeSample[]

export interface ParsedArticle extends Article {
  /** Search words that do not occur in the text. */
  readonly keywords: string
}

const NOTES: Readonly<Record<string, NoteKind>> = { NOTE: 'note', WARN: 'warn', SOON: 'soon' }
const RECEIPT_LINES = new Set<string>(['input', 'cachedInput', 'cacheWrite5m', 'output'])
const HEADING = /^(#{2,3}) (.+) \{#([a-z0-9-]+)\}$/
const ITEM = /^(?:(\d+)\.|-) /

/**
 * Parses the Markdown of the help centre: a strict subset, so that a mistake fails the build instead of rendering a broken page. Uses no
 * library: it would bring the browser nothing (articles are compiled), and of the ten mistakes in parse.test.ts marked and mdast refuse
 * none. All 90 articles take 12 ms here, 50 with marked, 247 with mdast, which returns the same blocks (bench/notes/help-centre.md).
 * Headings carry their id (`## Text {#id}`), because anchors must be equal in both languages. Directives are on a line by themselves:
 * `@samples name`, `@figure name`, `@receipt model` with its lines, `@topup amount percent rate`.
 */
export function parseArticle(slug: string, source: string, samplesOf: SampleReader): ParsedArticle {
  const head = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source)
  if (!head) throw new Error(`${slug}: begins with --- title, summary, updated ---`)
  const fields = new Map(head[1]!.split('\n').map((line) => splitFrontMatter(slug, line)))
  const field = (name: string) => fields.get(name) ?? raise(slug, `has no ${name}`)
  const updated = field('updated')
  if (!/^\d{4}-\d{2}-\d{2}$/.test(updated)) raise(slug, `updated is not a day: ${updated}`)
  const unknown = [...fields.keys()].filter((name) => !['title', 'summary', 'updated', 'keywords', 'related'].includes(name))
  if (unknown.length) raise(slug, `unknown fields: ${unknown.join(', ')}`)
  return {
    slug,
    title: field('title'),
    summary: field('summary'),
    updated,
    keywords: fields.get('keywords') ?? '',
    related: (fields.get('related') ?? '').split(/,\s*/).filter(Boolean),
    blocks: parseBlocks(slug, head[2]!.split('\n'), samplesOf),
  }
}

function raise(slug: string, problem: string): never {
  throw new Error(`help/${slug}: ${problem}`)
}

function splitFrontMatter(slug: string, line: string): [string, string] {
  const at = line.indexOf(': ')
  return at > 0 ? [line.slice(0, at), line.slice(at + 2).trim()] : raise(slug, `front matter: ${line}`)
}

function parseBlocks(slug: string, lines: readonly string[], samplesOf: SampleReader): ProseBlock[] {
  const blocks: ProseBlock[] = []
  let at = 0
  /** Takes the lines that `belongs` accepts, beginning with the current one. */
  const take = (belongs: (line: string, index: number) => boolean): string[] => {
    const from = at
    while (at < lines.length && belongs(lines[at]!, at)) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at]!
    if (line.trim() === '') at++
    else if (line.startsWith('#')) blocks.push(parseHeading(slug, lines[at++]!))
    else if (line.startsWith('@')) {
      at++
      blocks.push(parseDirective(slug, line, { samplesOf, below: () => take((next) => next.trim() !== '') }))
    } else if (line.startsWith('> '))
      blocks.push(
        parseNote(
          slug,
          take((next) => next.startsWith('>')),
          samplesOf,
        ),
      )
    else if (line.startsWith('|'))
      blocks.push(
        parseTable(
          slug,
          take((next) => next.startsWith('|')),
        ),
      )
    else if (line.startsWith('```')) raise(slug, 'code stands in help/samples and is asked for with @samples')
    else if (ITEM.test(line))
      blocks.push(
        parseList(
          slug,
          take((next, index) => isInList(lines, next, index)),
          samplesOf,
        ),
      )
    else blocks.push({ kind: 'paragraph', inlines: parseInlines(slug, take((next, index) => isProse(next, index > at)).join(' ')) })
  }
  return blocks
}

const isProse = (line: string, inside: boolean): boolean =>
  line.trim() !== '' && !(inside && /^(#{2,3} |@|> |\||```)/.test(line)) && !(inside && ITEM.test(line))

/** Parses list items, their indented lines, and empty lines between them. */
function isInList(lines: readonly string[], line: string, index: number): boolean {
  if (ITEM.test(line) || /^ {2,}\S/.test(line)) return true
  if (line.trim() !== '') return false
  const next = lines.slice(index + 1).find((other) => other.trim() !== '')
  return next !== undefined && (ITEM.test(next) || /^ {2,}\S/.test(next))
}

function parseHeading(slug: string, line: string): ProseBlock {
  const [, marks, text, id] = HEADING.exec(line) ?? raise(slug, `a heading is "## Text {#id}": ${line}`)
  return { kind: 'heading', level: marks!.length as 2 | 3, id: id!, text: text! }
}

function parseNote(slug: string, lines: readonly string[], samplesOf: SampleReader): ProseBlock {
  const mark = /^> \[!([A-Z]+)\]$/.exec(lines[0]!)?.[1] ?? ''
  const kind = NOTES[mark] ?? raise(slug, `a note begins with > [!NOTE], [!WARN] or [!SOON]: ${lines[0]}`)
  return {
    kind: 'note',
    note: kind,
    blocks: parseBlocks(
      slug,
      lines.slice(1).map((line) => line.replace(/^> ?/, '')),
      samplesOf,
    ),
  }
}

function parseList(slug: string, lines: readonly string[], samplesOf: SampleReader): ProseBlock {
  const ordered = /^\d/.test(lines[0]!)
  const items: string[][] = []
  for (const line of lines) {
    const item = ITEM.exec(line)
    if (!item) items.at(-1)!.push(line.replace(/^ {2,3}/, ''))
    else if ((item[1] !== undefined) !== ordered) raise(slug, `a list mixes numbers and dashes: ${line}`)
    else items.push([line.slice(item[0].length)])
  }
  return { kind: 'list', ordered, items: items.map((item) => parseBlocks(slug, item, samplesOf)) }
}

function parseTable(slug: string, lines: readonly string[]): ProseBlock {
  const rows = lines.map((line) =>
    line
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => parseInlines(slug, cell.trim().replaceAll('\\|', '|'))),
  )
  const [head, rule, ...body] = rows
  if (!head || !rule?.every((cell) => /^-+$/.test(cell.map((one) => one.text).join(''))) || body.some((row) => row.length !== head.length))
    raise(slug, `a table has a head, a rule and rows of one width: ${lines[0]}`)
  return { kind: 'table', head, rows: body }
}

function parseDirective(slug: string, line: string, { samplesOf, below }: { readonly samplesOf: SampleReader; readonly below: () => string[] }): ProseBlock {
  const [name, ...words] = line.slice(1).split(/\s+/)
  if (name === 'samples') return { kind: 'samples', name: words[0]!, samples: samplesOf(words[0] ?? '') }
  if (name === 'figure') return { kind: 'figure', name: words[0] ?? raise(slug, 'which figure?') }
  if (name === 'topup' && words.length === 3) return { kind: 'topup', amount: words[0]!, percent: words[1]!, rate: words[2]! }
  if (name === 'receipt') return { kind: 'receipt', model: words[0] ?? raise(slug, 'whose receipt?'), lines: below().map((one) => parseReceiptLine(slug, one)) }
  return raise(slug, `unknown directive: ${line}`)
}

function parseReceiptLine(slug: string, line: string): SampleReceiptLine {
  const [kind, tokens, price] = line.trim().split(/\s+/)
  if (!kind || !RECEIPT_LINES.has(kind) || !/^\d+$/.test(tokens ?? '') || !/^\d+(\.\d+)?$/.test(price ?? '')) raise(slug, `a receipt line: ${line}`)
  return { line: kind as SampleReceiptLine['line'], tokens: Number(tokens), price: price! }
}

const INLINE = /\*\*([^*]+)\*\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g

/** Parses bold, code and links only, without nesting. */
function parseInlines(slug: string, text: string): ProseInline[] {
  const inlines: ProseInline[] = []
  let from = 0
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) inlines.push({ kind: 'text', text: text.slice(from, match.index) })
    const [whole, strong, code, label, href] = match
    if (strong?.includes('`')) raise(slug, `nothing nests: ${whole}`)
    if (strong !== undefined) inlines.push({ kind: 'strong', text: strong })
    else if (code !== undefined) inlines.push({ kind: 'code', text: code })
    else inlines.push({ kind: 'link', text: label!, href: href! })
    from = match.index + whole.length
  }
  const rest = text.slice(from)
  if (/\*\*|`|\]\(|<[a-z/]/.test(rest)) raise(slug, `broken markup: ${rest}`)
  if (rest) inlines.push({ kind: 'text', text: rest })
  return inlines
}
