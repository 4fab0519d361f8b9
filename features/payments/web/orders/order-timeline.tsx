import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import type { OrderDetail } from '../../contract-orders.ts'
import { paymentTexts } from '../../texts.ts'
import { Progress } from '../progress.tsx'

/** What happened to the order, oldest first. */
export function OrderTimeline({ timeline, method, moving }: { readonly timeline: OrderDetail['timeline']; readonly method: number; readonly moving: boolean }) {
  const p = useTexts(paymentTexts)
  return (
    <Progress
      moving={moving}
      steps={timeline.map(({ at, event, facts }, index) => ({
        key: `${index}`,
        at,
        text: p(`event_${event}`, {
          payAmount: '',
          payCurrency: '',
          ...facts,
          amount: facts['amount'] ? usdDisplay(facts['amount']).slice(1) : '',
          method: p(`method_${(facts['method'] ?? method) as '1'}`),
        }),
      }))}
    />
  )
}
