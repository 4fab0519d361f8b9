import { Lock } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { helpTexts } from '../../../help-texts.ts'
import { FlowFrame } from './flow.tsx'

const ADDRESS = 'https://pay.example.com/c/pay/cs_live_a1B2c3D4e5F6g7H8i9J0'

/** Figure: a browser on a payment page; the payment link is the whole address, from the first letter to the last. */
export function PaymentLink() {
  const t = useTexts(helpTexts)
  return (
    <FlowFrame caption={t('fig_link_caption')}>
      <div className="overflow-hidden rounded-card border border-control">
        <div className="flex items-center gap-2 border-b border-line bg-sunken px-3 py-2">
          <span aria-hidden="true" className="flex gap-1.5">
            <i className="size-2.5 rounded-full bg-control" />
            <i className="size-2.5 rounded-full bg-control" />
            <i className="size-2.5 rounded-full bg-control" />
          </span>
          <div className="flex min-w-0 flex-1 items-center gap-2 rounded-full border-2 border-brand bg-surface px-3 py-1 text-13">
            <Lock size={12} strokeWidth={2} className="shrink-0 text-fg-3" aria-hidden="true" />
            <span className="truncate font-mono">{ADDRESS}</span>
          </div>
        </div>
        <div className="grid gap-4 p-5 desktop:grid-cols-2">
          <div>
            <p className="text-13 text-fg-3">{t('fig_link_plan')}</p>
            <p className="num text-20 font-semibold">$20.00</p>
          </div>
          <div className="grid gap-2" aria-hidden="true">
            <div className="h-8 rounded-control border border-line" />
            <div className="h-8 rounded-control border border-line" />
          </div>
        </div>
      </div>
      <p className="mt-4 text-14 text-fg-2">{t('fig_link_note')}</p>
    </FlowFrame>
  )
}
