import { useTexts } from '#platform/web/i18n.ts'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { siteTexts } from '../../texts.ts'

const BODY_TEXT = { easy_register: 'easy_register_body', easy_use: 'easy_use_body', easy_pay: 'easy_pay_body' } as const
const LINE_1_TEXT = { easy_register: 'easy_register_1', easy_use: 'easy_use_1', easy_pay: 'easy_pay_1' } as const
const LINE_1_VALUE_TEXT = { easy_register: 'easy_register_1_value', easy_use: 'easy_use_1_value', easy_pay: 'easy_pay_1_value' } as const
const LINE_2_TEXT = { easy_register: 'easy_register_2', easy_use: 'easy_use_2', easy_pay: 'easy_pay_2' } as const
const LINE_2_VALUE_TEXT = { easy_register: 'easy_register_2_value', easy_use: 'easy_use_2_value', easy_pay: 'easy_pay_2_value' } as const

const cards = ['easy_register', 'easy_use', 'easy_pay'] as const

/** Three tickets: easy registration, easy use, painless payment. Each lists what it takes, line by line. */
export function MemberCards() {
  const t = useTexts(siteTexts)
  return (
    <div className="wrap-1200 grid gap-6 pt-[88px] desktop:grid-cols-3 mobile:gap-5 mobile:pt-14">
      {cards.map((key) => (
        <Receipt key={key} look="inline" label={t(key)} className="h-full [&>.receipt]:h-full">
          <h2 className="text-20">{t(key)}</h2>
          <p className="mt-1.5 text-14 text-fg-2">{t(BODY_TEXT[key])}</p>
          <ReceiptRule className="my-4" />
          <ReceiptRow label={t(LINE_1_TEXT[key])} value={t(LINE_1_VALUE_TEXT[key])} />
          <ReceiptRow label={t(LINE_2_TEXT[key])} value={t(LINE_2_VALUE_TEXT[key])} />
        </Receipt>
      ))}
    </div>
  )
}
