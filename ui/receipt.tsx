import type { ReactNode } from 'react'

interface ReceiptProps {
  /** paper: white in both themes (hero, PDF look). inline: follows the theme (detail sheets). flat: rows only, no paper. */
  readonly look?: 'paper' | 'inline' | 'flat'
  readonly label?: string
  readonly className?: string
  readonly children: ReactNode
}

/** Square corners and a perforated lower edge. Every amount in it must add up on screen. */
export function Receipt({ look = 'paper', label, className = '', children }: ReceiptProps) {
  const looks = { paper: '', inline: 'receipt-inline', flat: 'receipt-inline receipt-flat' }
  const paper = (
    <div role="group" aria-label={label} className={`receipt ${looks[look]} ${look === 'inline' ? '' : className}`}>
      {children}
    </div>
  )
  // The mask that cuts the perforation would also cut a border, so the outline is drawn by the wrapper.
  return look === 'inline' ? <div className={`receipt-outline ${className}`}>{paper}</div> : paper
}

interface RowProps {
  readonly label: ReactNode
  readonly value: ReactNode
  readonly note?: ReactNode
  readonly strong?: boolean
  readonly className?: string
}

/** 充值 ········ $20.00, with an optional small line below. */
export function ReceiptRow({ label, value, note, strong, className = '' }: RowProps) {
  return (
    <div className={`py-1 ${className}`}>
      <div className={`receipt-row ${strong ? 'text-20 font-bold' : 'text-14'}`}>
        <span className="min-w-0">{label}</span>
        {strong ? <span className="flex-1" /> : <Leader />}
        <span className={`num ${strong ? 'font-semibold' : ''}`}>{value}</span>
      </div>
      {note ? <p className="receipt-note text-12">{note}</p> : null}
    </div>
  )
}

export function Leader() {
  return <span className="leader" aria-hidden="true" />
}

export function ReceiptRule({ className = 'my-3' }: { readonly className?: string }) {
  return <hr className={`receipt-rule ${className}`} />
}
