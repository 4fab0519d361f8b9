import { useEffect, useRef, type ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import { cardTexts } from '../../texts.ts'

interface MoneyDoneProps {
  readonly title: string
  readonly about: string
  /** Set only once the money has arrived; money in transit is not done. */
  readonly stamp: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Result of a money action. Focuses the heading, so that screen readers announce the change. */
export function MoneyDone({ title, about, stamp, onClose, children }: MoneyDoneProps) {
  const t = useTexts(cardTexts)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
  }, [])
  return (
    <div className="flex flex-col items-center gap-3 pt-2 pb-2 text-center">
      {stamp ? (
        <div className="py-2">
          <Stamp fresh text={t('stampDone')} />
        </div>
      ) : null}
      <h3 ref={heading} tabIndex={-1} className="text-20 font-bold outline-none">
        {title}
      </h3>
      <p className="text-14 text-fg-2">{about}</p>
      <Receipt look="inline" label={t('slip')} className="mt-1 w-full text-left">
        {children}
      </Receipt>
      <Button size="lg" className="mt-2 min-w-40 mobile:w-full" onClick={onClose}>
        {t('done')}
      </Button>
    </div>
  )
}
