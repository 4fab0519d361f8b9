import type { ReactNode } from 'react'

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
