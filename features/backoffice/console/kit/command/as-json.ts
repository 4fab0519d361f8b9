type FigureValue = string | number | boolean | null
const LONG = 40

/** Parses two long JSON values so that the page can show a diff; undefined if they are short or plain values. */
export function parseJsonPair(before: FigureValue, after: FigureValue): { readonly before: unknown; readonly after: unknown } | undefined {
  const [old, fresh] = [parseFigure(before), parseFigure(after)]
  const isLong = String(before).length > LONG || String(after).length > LONG
  return isLong && (isTree(old) || isTree(fresh)) ? { before: old, after: fresh } : undefined
}

const isTree = (value: unknown) => typeof value === 'object' && value !== null
function parseFigure(fact: FigureValue): unknown {
  if (typeof fact !== 'string') return fact
  try {
    return JSON.parse(fact) as unknown
  } catch {
    return fact
  }
}
