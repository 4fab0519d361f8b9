import { useTexts } from '#platform/web/i18n.ts'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { siteTexts } from '../../texts.ts'

const cards = ['easy_register', 'easy_use', 'easy_pay'] as const

/** Three tickets: easy registration, easy use, painless payment. Each lists what it takes, line by line. */
export function MemberCards() {
  const t = useTexts(siteTexts)
  return (
    <div className="wrap-1200 grid gap-6 pt-[88px] desktop:grid-cols-3 mobile:gap-5 mobile:pt-14">
      {cards.map((key) => (
        <Receipt key={key} look="inline" label={t(key)} className="h-full [&>.receipt]:h-full">
          <h2 className="text-20">{t(key)}</h2>
          <p className="mt-1.5 text-14 text-fg-2">{t(`${key}_body`)}</p>
          <ReceiptRule className="my-4" />
          <ReceiptRow label={t(`${key}_1`)} value={t(`${key}_1_value`)} />
          <ReceiptRow label={t(`${key}_2`)} value={t(`${key}_2_value`)} />
        </Receipt>
      ))}
    </div>
  )
}
