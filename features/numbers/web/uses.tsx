import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { Receipt, ReceiptRow } from '#ui/receipt.tsx'
import { queryClient } from '#platform/web/calls/query.tsx'
import type { NumberStat } from '../contract.ts'
import { numberTexts } from '../texts.ts'
import { numbersApi, refreshNumbers } from './use-numbers.ts'

/** Sources of the remaining uses; the unused rest of a pack can be refunded. */
export function NumberUses({ stat }: { readonly stat: NumberStat }) {
  const t = useTexts(numberTexts)
  const { run, isRunning } = useSubmit()
  if (!stat.hasCard && !stat.packs.length) return null
  const giveBack = async (pack: NumberStat['packs'][number]) => {
    const worth = displayUsd(pack.worth)
    const asked = { title: t('returnTitle', { count: String(pack.left) }), body: t('returnBody', { worth }), action: t('returnDo', { worth }) }
    if (!(await confirm(asked))) return
    await run(async () => {
      const { returned } = await numbersApi.overseaMobileReturnPack({ id: pack.id })
      toast.success(t('wasReturned', { amount: displayUsd(returned) }))
      refreshNumbers()
      void queryClient.invalidateQueries({ queryKey: ['wallet'] })
    }).catch((error: unknown) => toast.error((error as Error).message))
  }
  return (
    <Receipt look="flat" label={t('uses')}>
      <ReceiptRow label={t('leftCard')} value={t('usesOf', { left: String(stat.included.left), allowed: String(stat.included.allowed) })} />
      {stat.packs.map((pack) => (
        <ReceiptRow
          key={pack.id}
          label={t('leftPack')}
          value={t('usesOf', { left: String(pack.left), allowed: String(pack.total) })}
          note={
            <span className="flex flex-wrap justify-between gap-x-3">
              {pack.untilTime ? t('packUntil', { day: displayTime(pack.untilTime, 'day') }) : ''}
              {pack.left > 0 ? (
                <button type="button" className="link mobile:min-h-11" disabled={isRunning} onClick={() => void giveBack(pack)}>
                  {t('returnPack')}
                </button>
              ) : null}
            </span>
          }
        />
      ))}
      <ReceiptRow strong label={t('uses')} value={stat.remaining ? t('left', { count: String(stat.remaining) }) : t('leftNone')} />
    </Receipt>
  )
}
