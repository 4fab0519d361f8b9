import type { ComponentProps } from 'react'
import { uiTexts } from './texts.ts'
import { useTexts } from '#platform/web/i18n.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'ink' | 'ink-ghost'
export type ButtonSize = 'sm' | 'md' | 'lg'

/** Class names only, for links that look like buttons. */
export function getButtonClass(variant: ButtonVariant = 'primary', size: ButtonSize = 'md', className = ''): string {
  return `btn btn-${variant} ${size === 'md' ? '' : `btn-${size}`} ${className}`
}

interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: ButtonVariant
  readonly size?: ButtonSize
  /** Keeps focus and size, ignores presses and informs screen readers. */
  readonly loading?: boolean
  readonly block?: boolean
}

export function Button({ variant, size, loading, block, className = '', children, onClick, type = 'button', ...rest }: ButtonProps) {
  const t = useTexts(uiTexts)
  return (
    <button
      {...rest}
      type={loading ? 'button' : type}
      aria-busy={loading || undefined}
      aria-disabled={loading || rest['aria-disabled']}
      onClick={loading ? (event) => event.preventDefault() : onClick}
      className={getButtonClass(variant, size, `${block ? 'w-full whitespace-normal' : ''} ${className}`)}
    >
      {loading ? (
        <>
          <span className="spinner" aria-hidden="true" />
          <span className="sr-only">{t('loading')}</span>
        </>
      ) : null}
      {children}
    </button>
  )
}
