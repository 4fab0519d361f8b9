/** Block of a runbook page. */
export type RunbookBlock =
  | { readonly kind: 'heading' | 'paragraph'; readonly text: string }
  | { readonly kind: 'steps' | 'points'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }

const STEP = /^\d+\. /
const POINT = /^- /
const lineKind = (line: string): RunbookBlock['kind'] =>
  line.startsWith('#') ? 'heading' : STEP.test(line) ? 'steps' : POINT.test(line) ? 'points' : line.startsWith('|') ? 'table' : 'paragraph'
const splitCells = (line: string) =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split('|')
    .map((cell) => cell.trim())

/** Parses a runbook page into headings, paragraphs, steps, points and tables; indented and plain lines continue the block before them. */
export function parseRunbook(page: string): RunbookBlock[] {
  return page
    .trim()
    .split(/\n{2,}/)
    .flatMap((part) => splitRuns(part.split('\n')).map(toBlock))
}

interface LineRun {
  readonly kind: RunbookBlock['kind']
  readonly lines: readonly string[]
}

/** Groups consecutive lines of one kind, with their continuation lines joined. */
function splitRuns(lines: readonly string[]): LineRun[] {
  const runs: { kind: RunbookBlock['kind']; lines: string[] }[] = []
  for (const line of lines) {
    const last = runs.at(-1)
    const kind = lineKind(line)
    if (kind === last?.kind && kind !== 'paragraph') last.lines.push(line)
    else if (last && kind === 'paragraph' && last.kind !== 'table') last.lines[last.lines.length - 1] += `${POINT.test(line.trim()) ? '\n' : ' '}${line.trim()}`
    else runs.push({ kind, lines: [line] })
  }
  return runs
}

function toBlock({ kind, lines }: LineRun): RunbookBlock {
  if (kind === 'steps' || kind === 'points') return { kind, items: lines.map((line) => line.replace(kind === 'steps' ? STEP : POINT, '')) }
  if (kind !== 'table') return { kind, text: lines.join(' ').replace(/^#+ /, '') }
  const [head = '', , ...rows] = lines
  return { kind, head: splitCells(head), rows: rows.map(splitCells) }
}
