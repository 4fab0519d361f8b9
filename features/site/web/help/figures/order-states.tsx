import { useTexts } from '#platform/web/i18n.ts'
import { helpTexts } from '../../../help-texts.ts'
import { FlowArrow, FlowFrame, FlowNode, FlowRow } from './flow.tsx'

const FIG_ORDER_TEXT = { lost: 'fig_order_lost', late: 'fig_order_late', twice: 'fig_order_twice', other: 'fig_order_other' } as const
const FIG_ORDER_THEN_TEXT = { lost: 'fig_order_lost_then', late: 'fig_order_late_then', twice: 'fig_order_twice_then', other: 'fig_order_other_then' } as const

/** Figure: the usual states of an order, and the handling of money that arrives another way. */
export function OrderStates() {
  const t = useTexts(helpTexts)
  return (
    <FlowFrame caption={t('fig_order_caption')}>
      <FlowRow>
        <FlowNode title={t('fig_order_waiting')} note={t('fig_order_waiting_note')} />
        <div className="flex items-center justify-center">
          <FlowArrow label={t('fig_order_pay')} />
        </div>
        <FlowNode title={t('fig_order_paid')} note={t('fig_order_paid_note')} />
        <div className="flex items-center justify-center">
          <FlowArrow label={t('fig_order_credit')} />
        </div>
        <FlowNode look="brand" title={t('fig_order_done')} note={t('fig_order_done_note')} />
      </FlowRow>
      <dl className="mt-6 grid gap-3 border-t border-dashed border-line pt-5 text-14">
        {(['late', 'twice', 'other', 'lost'] as const).map((one) => (
          <div key={one} className="grid gap-x-4 desktop:grid-cols-[150px_1fr]">
            <dt className="font-semibold">{t(FIG_ORDER_TEXT[one])}</dt>
            <dd className="text-fg-2">{t(FIG_ORDER_THEN_TEXT[one])}</dd>
          </div>
        ))}
      </dl>
    </FlowFrame>
  )
}
