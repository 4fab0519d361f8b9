import { getFillClass } from '../dot.tsx'
import { getShade, type Series } from './series.ts'

/** The colour of a series wherever it is named: in the legend, the tooltip and the table below. */
export function Swatch({ of, className = 'size-2.5' }: { readonly of: Pick<Series, 'color' | 'shade'>; readonly className?: string }) {
  return <span className={`inline-block shrink-0 rounded-[2px] ${getFillClass(of.color)} ${className}`} style={{ opacity: getShade(of) }} aria-hidden="true" />
}
