import { ExternalLink } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { QrTile } from '#ui/qr-tile.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { paymentTexts } from '../../../texts.ts'
import { noticeTexts } from '../../../texts-notice.ts'
import { OrderLines, OrderNo } from '../../order-lines.tsx'
import type { PayState } from '../pay-machine.ts'
import type { Pay } from '../use-pay.ts'

/** The QR code leads to the notice, not to the channel: once it is read, on either device, the channel's code replaces it. */
export function PayNoticeStep({ state, pay }: { readonly state: Extract<PayState, { step: 'notice' }>; readonly pay: Pay }) {
  const t = useTexts(noticeTexts)
  const p = useTexts(paymentTexts)
  return (
    <div className="grid gap-6 desktop:grid-cols-[196px_minmax(0,1fr)] desktop:gap-8">
      <div className="justify-self-center desktop:justify-self-start">
        <QrTile value={state.url} state="active" caption={<span className="text-center">{t('notice_scan')}</span>} />
      </div>
      <div className="min-w-0">
        <p className="text-16 font-semibold">{t('notice_first')}</p>
        <p className="mt-1 mb-4 text-14 text-fg-2">{t('notice_first_about')}</p>
        <Receipt look="flat" label={p('receipt')}>
          <OrderLines order={state.order} />
        </Receipt>
        <div className="mt-1">
          <OrderNo orderNo={state.order.orderNo} />
        </div>
        <div className="mt-4 flex flex-wrap gap-3 mobile:[&>*]:flex-1">
          <a href={state.url} target="_blank" rel="noopener" className={getButtonClass('primary', 'md')}>
            <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
            {t('notice_here')}
          </a>
          <Button variant="secondary" onClick={pay.changeMethod}>
            {p('change_method')}
          </Button>
        </div>
      </div>
    </div>
  )
}
