import { useEffect, useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { paymentTexts } from '../../texts.ts'
import { readChannelForm, submitForm } from './leave.ts'
import { useMethodName } from '../method-mark.tsx'
import { PaymentsNotice } from '../notice.tsx'
import { PAY_METHODS } from '../../contract-methods.ts'
import { UnionGuideLink } from '../union-link.tsx'
import type { PayState } from './pay-machine.ts'
import type { Pay } from './use-pay.ts'

const LOAD_TIMEOUT_MS = 10_000
const FRAME = 'pay-frame'
const BAD_SIGNATURE = /illegal[-_ ]?sign|invalid[-_ ]?sign|验签/i

/** The channel's form, submitted once into a frame. Loading ends when the frame has loaded, or after ten seconds. */
export function FormPay({ state, pay }: { readonly state: Extract<PayState, { step: 'ready' }>; readonly pay: Pay }) {
  const t = useTexts(paymentTexts)
  const frame = useRef<HTMLIFrameElement>(null)
  const submitted = useRef(false)
  const [loading, setLoading] = useState(true)
  const method = useMethodName(state.method)
  // Once per set of parameters: the caller changes the key with them.
  const [form] = useState(() => readChannelForm(state.params.payHtml))
  const reopen = () => void pay.open(state.order, state.method)

  useEffect(() => {
    if (form && !submitted.current) {
      submitted.current = true
      submitForm(form, FRAME)
    }
    const timer = setTimeout(() => setLoading(false), LOAD_TIMEOUT_MS)
    return () => clearTimeout(timer)
  }, [form])

  const loaded = () => {
    if (!submitted.current) return
    setLoading(false)
    if (!BAD_SIGNATURE.test(readFrameText(frame.current))) return
    toast.error(t('frame_bad'))
    reopen()
  }
  if (!form)
    return (
      <PaymentsNotice tone="warning">
        {t('frame_failed')}{' '}
        <Button variant="ghost" size="sm" onClick={reopen}>
          {t('open_again')}
        </Button>
      </PaymentsNotice>
    )
  return (
    <div>
      <div className="relative overflow-hidden rounded-card border border-line" aria-busy={loading}>
        <iframe ref={frame} name={FRAME} title={t('frame_title', { method })} onLoad={loaded} className="block h-[420px] w-full bg-paper" />
        {loading ? (
          <p role="status" className="absolute inset-0 flex items-center justify-center gap-2 bg-surface text-13 text-fg-2">
            <span className="spinner" aria-hidden="true" />
            {t('opening', { method })}
          </p>
        ) : null}
      </div>
      {state.method.transactionType === PAY_METHODS.unionpay.id ? <UnionGuideLink /> : null}
    </div>
  )
}

/** Readable only while the frame shows a page of this site. */
function readFrameText(frame: HTMLIFrameElement | null): string {
  try {
    return frame?.contentDocument?.body.textContent ?? ''
  } catch {
    return ''
  }
}
