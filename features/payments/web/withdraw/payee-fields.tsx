import { useTexts } from '#platform/web/i18n.ts'
import { TextField } from '#ui/fields/text-field.tsx'
import { alipayIdentity, alipayRealName, identityNumberSchema } from '../../contract-withdraw.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'

/** Payee: Alipay sign-in name, the name as on the identity card, and its number. Never stored in the browser. */
export interface PayeeForm {
  readonly alipayIdentity: string
  readonly alipayRealName: string
  readonly identityNumber: string
}
export const NO_PAYEE: PayeeForm = { alipayIdentity: '', alipayRealName: '', identityNumber: '' }

const fields = [
  { name: 'alipayIdentity', rule: alipayIdentity, label: 'withdraw_alipay', hint: 'withdraw_alipay_hint', bad: 'bad_alipay', max: 100 },
  { name: 'alipayRealName', rule: alipayRealName, label: 'withdraw_name', hint: 'withdraw_name_hint', bad: 'bad_name', max: 50 },
  { name: 'identityNumber', rule: identityNumberSchema, label: 'withdraw_identity', hint: 'withdraw_identity_hint', bad: 'bad_identity', max: 18 },
] as const

export function isPayee(payee: PayeeForm): boolean {
  return fields.every(({ name, rule }) => rule.safeParse(payee[name]).success)
}

interface PayeeFieldsProps {
  readonly payee: PayeeForm
  readonly onChange: (payee: PayeeForm) => void
  /** Fields that were left once, or all after a press: only those say what is wrong. */
  readonly left: ReadonlySet<string>
  readonly onLeave: (name: string) => void
  readonly disabled: boolean
}

export function PayeeFields({ payee, onChange, left, onLeave, disabled }: PayeeFieldsProps) {
  const t = useTexts(withdrawTexts)
  return (
    <>
      {fields.map(({ name, rule, label, hint, bad, max }) => (
        <TextField
          key={name}
          label={t(label)}
          hint={t(hint)}
          error={left.has(name) && !rule.safeParse(payee[name]).success ? t(bad) : undefined}
          value={payee[name]}
          maxLength={max}
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          onChange={(event) => onChange({ ...payee, [name]: name === 'identityNumber' ? event.target.value.toUpperCase() : event.target.value })}
          onBlur={() => {
            if (payee[name]) onLeave(name)
          }}
        />
      ))}
    </>
  )
}
