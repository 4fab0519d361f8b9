import type { ReactNode } from 'react'

const FILLS = ['', 'bg-chart-1', 'bg-chart-2', 'bg-chart-3', 'bg-chart-4', 'bg-chart-5', 'bg-chart-6', 'bg-chart-7', 'bg-chart-8'] as const
type Color = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

export const getFillClass = (color: Color): string => FILLS[color]

/** A dot in a chart colour, beside a word with its meaning. */
export function Dot({ color, className = '' }: { readonly color: Color; readonly className?: string }) {
  return <span className={`inline-block size-2 shrink-0 rounded-full ${getFillClass(color)} ${className}`} aria-hidden="true" />
}

export type Tone = 'neutral' | 'brand' | 'success' | 'warning' | 'danger' | 'info'
const tones: Record<Tone, string> = {
  neutral: '',
  brand: 'tag-brand',
  success: 'tag-outline text-success',
  warning: 'tag-outline text-warning',
  danger: 'tag-outline text-danger',
  info: 'tag-outline text-info',
}

/** A state or a property in one word. */
export function Badge({ tone = 'neutral', icon, children }: { readonly tone?: Tone; readonly icon?: ReactNode; readonly children: ReactNode }) {
  return (
    <span className={`tag ${tones[tone]}`}>
      {icon}
      {children}
    </span>
  )
}
