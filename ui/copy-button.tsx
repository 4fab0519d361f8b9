import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { getButtonClass } from './button.tsx'
import type { ButtonSize, ButtonVariant } from './button.tsx'
import { uiTexts } from './texts.ts'
import { useEffect, useRef, useState } from 'react'
import { copyText } from '#platform/web/clipboard.ts'

const FLIP_MS = 2_000
type CopyState = 'idle' | 'copied' | 'failed'

/** Copies text, then confirms for two seconds. */
function useCopy(): readonly [CopyState, (text: string) => void] {
  const [state, setState] = useState<CopyState>('idle')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = (text: string) => {
    void copyText(text).then((done) => {
      setState(done ? 'copied' : 'failed')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setState('idle'), FLIP_MS)
    })
  }
  return [state, copy]
}

interface CopyButtonProps {
  /** Text to copy: the full value, never a masked one. */
  readonly text: string
  /** Names the copied value for screen readers: 复制订单号. */
  readonly label?: string
  /** The button's label if "copy" alone is not enough. */
  readonly word?: string
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  readonly iconOnly?: boolean
  readonly className?: string
}

/** Shows 复制 → 已复制 for two seconds and announces it. */
export function CopyButton({ text, label, word: own, variant = 'secondary', size = 'sm', iconOnly, className = '' }: CopyButtonProps) {
  const t = useTexts(uiTexts)
  const [state, copy] = useCopy()
  const Icon = state === 'copied' ? Check : state === 'failed' ? TriangleAlert : Copy
  const word = state === 'copied' ? t('copied') : state === 'failed' ? t('copyFailed') : (own ?? t('copy'))
  const name = state === 'idle' ? (label ?? word) : word
  return (
    <>
      <button
        type="button"
        onClick={() => copy(text)}
        aria-label={name}
        title={iconOnly ? name : undefined}
        className={iconOnly ? `icon-btn ${className}` : getButtonClass(variant, size, className)}
      >
        <Icon
          size={iconOnly || size === 'lg' ? 16 : 14}
          strokeWidth={1.75}
          aria-hidden="true"
          className={state === 'copied' && variant !== 'primary' ? 'text-success' : ''}
        />
        {iconOnly ? null : <span aria-hidden="true">{word}</span>}
      </button>
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : word}
      </span>
    </>
  )
}
