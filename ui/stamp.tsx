import { useTexts } from '#platform/web/i18n.ts'
import { uiTexts } from './texts.ts'

/** The one vermilion mark. `fresh` plays the strike once, at the moment of success. */
export function Stamp({ text, fresh = false, className = '' }: { readonly text?: string; readonly fresh?: boolean; readonly className?: string }) {
  const t = useTexts(uiTexts)
  return (
    <span role="img" aria-label={text ?? t('paid')} className={`stamp ${fresh ? 'stamp-fresh' : ''} ${className}`}>
      <span aria-hidden="true">{text ?? t('paid')}</span>
    </span>
  )
}
