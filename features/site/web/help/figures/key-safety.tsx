import { Check, X } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { helpTexts } from '../../../help-texts.ts'
import { FlowArrow, FlowFrame, FlowNode, FlowRow } from './flow.tsx'

const FIG_KEY_GOOD_TEXT = { env: 'fig_key_good_env', server: 'fig_key_good_server', each: 'fig_key_good_each' } as const
const FIG_KEY_BAD_TEXT = { chat: 'fig_key_bad_chat', page: 'fig_key_bad_page', git: 'fig_key_bad_git' } as const

const GOOD = ['env', 'server', 'each'] as const
const BAD = ['page', 'git', 'chat'] as const

/** Figure: the key stays on the customer's own server, with examples of safe and unsafe places. */
export function KeySafety() {
  const t = useTexts(helpTexts)
  return (
    <FlowFrame caption={t('fig_key_caption')}>
      <FlowRow>
        <FlowNode title={t('fig_key_user')} note={t('fig_key_user_note')} />
        <div className="flex items-center justify-center">
          <FlowArrow label={t('fig_key_login')} />
        </div>
        <FlowNode look="brand" title={t('fig_key_server')} note={t('fig_key_server_note')} />
        <div className="flex items-center justify-center">
          <FlowArrow label={t('fig_key_key')} />
        </div>
        <FlowNode look="ink" title={t('fig_key_api')} note="/v1" />
      </FlowRow>
      <div className="mt-6 grid gap-x-8 gap-y-1 text-14 desktop:grid-cols-2">
        <ul className="!list-none !pl-0">
          {GOOD.map((one) => (
            <li key={one} className="!mt-0 flex gap-2 py-1">
              <Check size={16} strokeWidth={2} className="mt-[3px] shrink-0 text-success" aria-hidden="true" />
              {t(FIG_KEY_GOOD_TEXT[one])}
            </li>
          ))}
        </ul>
        <ul className="!list-none !pl-0">
          {BAD.map((one) => (
            <li key={one} className="!mt-0 flex gap-2 py-1">
              <X size={16} strokeWidth={2} className="mt-[3px] shrink-0 text-danger" aria-hidden="true" />
              {t(FIG_KEY_BAD_TEXT[one])}
            </li>
          ))}
        </ul>
      </div>
    </FlowFrame>
  )
}
