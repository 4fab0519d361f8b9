import { Check, X } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { helpTexts } from '../../../help-texts.ts'
import { Arrow, Frame, Node, Row } from './flow.tsx'

const GOOD = ['env', 'server', 'each'] as const
const BAD = ['page', 'git', 'chat'] as const

/** The key stays on a server of one's own; and where it may and may not stand. */
export function KeySafety() {
  const t = useTexts(helpTexts)
  return (
    <Frame caption={t('fig_key_caption')}>
      <Row>
        <Node title={t('fig_key_user')} note={t('fig_key_user_note')} />
        <div className="flex items-center justify-center">
          <Arrow label={t('fig_key_login')} />
        </div>
        <Node look="brand" title={t('fig_key_server')} note={t('fig_key_server_note')} />
        <div className="flex items-center justify-center">
          <Arrow label={t('fig_key_key')} />
        </div>
        <Node look="ink" title={t('fig_key_api')} note="/v1" />
      </Row>
      <div className="mt-6 grid gap-x-8 gap-y-1 text-14 desktop:grid-cols-2">
        <ul className="!list-none !pl-0">
          {GOOD.map((one) => (
            <li key={one} className="!mt-0 flex gap-2 py-1">
              <Check size={16} strokeWidth={2} className="mt-[3px] shrink-0 text-success" aria-hidden="true" />
              {t(`fig_key_good_${one}`)}
            </li>
          ))}
        </ul>
        <ul className="!list-none !pl-0">
          {BAD.map((one) => (
            <li key={one} className="!mt-0 flex gap-2 py-1">
              <X size={16} strokeWidth={2} className="mt-[3px] shrink-0 text-danger" aria-hidden="true" />
              {t(`fig_key_bad_${one}`)}
            </li>
          ))}
        </ul>
      </div>
    </Frame>
  )
}
