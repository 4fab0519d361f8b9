import { useState } from 'react'
import { withCaptcha } from '#platform/web/calls/captcha.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { CAPTCHA_SCENE, type CodePurpose } from '../../contract.ts'
import { maskPhone } from '../../phone.ts'
import { securityTexts } from '../../texts-security.ts'
import { CodeRow } from '../fields/code-row.tsx'
import type { SendCodeReply } from '../fields/use-send-code.ts'
import type { Me } from '../use-me.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

const SEC_BY_TEXT = { email: 'sec_by_email', mobile: 'sec_by_mobile' } as const satisfies Record<ContactKind, TextKeyOf<typeof securityTexts>>

export type ContactKind = 'mobile' | 'email'

/** Contacts of the user that can receive a code; the mobile first. */
export function listContactKinds(me: Me): readonly ContactKind[] {
  return [...(me.mobile ? (['mobile'] as const) : []), ...(me.email && me.emailVerifyStatus === 1 ? (['email'] as const) : [])]
}

/** w***g@example.com */
export function maskEmail(email: string): string {
  const [name = '', host = ''] = email.split('@')
  return `${name.slice(0, 1)}***${name.length > 2 ? name.slice(-1) : ''}@${host}`
}

/** Selects the own contact that receives the code. */
export function useContactKind(me: Me): readonly [ContactKind | undefined, (by: ContactKind) => void] {
  const [chosen, choose] = useState<ContactKind>()
  const contacts = listContactKinds(me)
  return [chosen && contacts.includes(chosen) ? chosen : contacts[0], choose]
}

interface OwnCodeProps {
  readonly me: Me
  readonly purpose: CodePurpose
  readonly by: ContactKind | undefined
  readonly onBy: (by: ContactKind) => void
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onComplete?: () => void
  readonly error: string | undefined
  readonly send: (input: { by: ContactKind; captchaVerifyParam: string }) => Promise<SendCodeReply>
}

/** Code field for the user's own mobile or e-mail; with both, the user chooses. */
export function OwnCode({ me, purpose, by, onBy, send, ...field }: OwnCodeProps) {
  const t = useTexts(securityTexts)
  const contacts = listContactKinds(me)
  if (!by) return <p className="rounded-control bg-sunken px-3 py-2.5 text-14">{t('sec_no_contact')}</p>
  const target = by === 'mobile' ? maskPhone(me.mobile ?? '') : maskEmail(me.email ?? '')
  return (
    <div className="grid gap-4">
      {contacts.length > 1 ? (
        <Segmented
          label={t('sec_code_to')}
          value={by}
          onChange={onBy}
          className="flex! [&>button]:flex-1 [&>button]:justify-center [&>button]:py-1.5"
          items={contacts.map((contact) => ({ value: contact, label: t(SEC_BY_TEXT[contact]) }))}
        />
      ) : null}
      <p className="text-14 text-fg-2">{t('sec_code_lead', { target })}</p>
      <CodeRow
        {...field}
        purpose={purpose}
        target={target}
        by={by === 'mobile' ? 'sms' : 'mail'}
        send={() => withCaptcha(CAPTCHA_SCENE[purpose], (captchaVerifyParam) => send({ by, captchaVerifyParam }))}
      />
    </div>
  )
}
