import { useEffect, useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { paymentTexts } from '../texts.ts'
import { pageTexts } from '../texts-pages.ts'
import { useCountdown } from '#ui/time/countdown.tsx'
import { BALANCE_PATH } from './return-path.ts'

const SECONDS = 5

/**
 * Link onward from a paid order, with a countdown where `byItself`. Any touch or key on the page stops the countdown, because the
 * user is reading; in a frame it never starts, since the page around it waits for the payment.
 */
export function ContinueLink({ to, byItself }: { readonly to: string; readonly byItself: boolean }) {
  const t = useTexts(paymentTexts)
  const [going, setGoing] = useState(byItself && window.top === window)
  const stay = () => setGoing(false)
  useEffect(() => {
    if (!going) return
    addEventListener('pointerdown', stay)
    addEventListener('keydown', stay)
    return () => {
      removeEventListener('pointerdown', stay)
      removeEventListener('keydown', stay)
    }
  }, [going])
  return (
    <>
      {going ? <Countdown to={to} onStay={stay} /> : null}
      <a href={to} className={getButtonClass('primary', 'lg')}>
        {t(to === BALANCE_PATH ? 'result_to_balance' : 'result_on')}
      </a>
    </>
  )
}

function Countdown({ to, onStay }: { readonly to: string; readonly onStay: () => void }) {
  const page = useTexts(pageTexts)
  const until = useRef<number>(undefined)
  until.current ??= Date.now() + SECONDS * 1000
  // Replaces the result page in the history, so that going back leads to the page before the payment.
  const left = useCountdown(until.current, () => location.replace(to))
  return (
    <p className="flex w-full flex-wrap items-center justify-center gap-x-2 text-14 text-fg-2">
      <span className="sr-only">{page('result_going', { seconds: String(SECONDS) })}</span>
      <span aria-hidden="true" className="tabular">
        {page('result_going', { seconds: String(left) })}
      </span>
      <Button variant="ghost" size="sm" onClick={onStay}>
        {page('result_stay')}
      </Button>
    </p>
  )
}
