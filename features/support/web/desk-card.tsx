import { useLang, useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { supportPageTexts } from '../texts.ts'
import { useChat } from './chat-store.ts'
import { describeDesk } from './desk-words.ts'

/** Receipt at the top: opening hours, response time, and the other contact. */
export function DeskCard() {
  const t = useTexts(supportPageTexts)
  const lang = useLang()
  const desk = useChat((state) => state.desk)
  const words = desk ? describeDesk(desk, lang) : undefined
  const late = <Skeleton className="inline-block h-3.5 w-24" />
  return (
    <Receipt look="inline" label={t('title')} className="support-desk">
      <p className="text-14 text-fg-2">{t('desk_lead')}</p>
      <ReceiptRule className="my-3" />
      <ReceiptRow label={t('desk_hours')} value={words?.hours ?? late} />
      <ReceiptRow label={t('desk_reply')} value={words?.reply ?? late} />
      <ReceiptRow
        label={t('desk_mail')}
        value={
          <a href={`mailto:${site.supportEmail}`} className="link">
            {site.supportEmail}
          </a>
        }
      />
    </Receipt>
  )
}

/** 服务中 · 一般 2 小时内, with a dot that is not the only sign. */
export function DeskState() {
  const lang = useLang()
  const desk = useChat((state) => state.desk)
  if (!desk) return <Skeleton className="mt-1 h-3 w-32" />
  return (
    <p className="flex items-center gap-1.5 text-12 text-fg-3">
      <span className={`size-1.5 shrink-0 rounded-full ${desk.open ? 'bg-success' : 'bg-control'}`} aria-hidden="true" />
      <span className="truncate">{describeDesk(desk, lang).state}</span>
    </p>
  )
}
