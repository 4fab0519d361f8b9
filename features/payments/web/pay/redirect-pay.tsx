import { ExternalLink } from 'lucide-react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { getButtonClass } from '#ui/button.tsx'
import { paymentTexts } from '../../texts.ts'
import { MethodIcon, useMethodName } from '../method-mark.tsx'
import type { PayState } from './pay-machine.ts'
import type { Pay } from './use-pay.ts'

/**
 * A button in place of the code. It is a link and not a script, so that browsers do not block it as a pop-up; a phone stays in the same
 * window. The referrer is sent, because WeChat's payment page requires it.
 */
export function RedirectPay({ state, pay }: { readonly state: Extract<PayState, { step: 'ready' }>; readonly pay: Pay }) {
  const t = useTexts(paymentTexts)
  const mobile = useIsMobile()
  const method = useMethodName(state.method)
  return (
    <div className="flex h-full w-[196px] flex-col items-stretch justify-center gap-3 rounded-card border border-line bg-sunken p-4 text-center mobile:w-full">
      <p className="flex items-center justify-center gap-2 text-14 font-semibold">
        {state.left ? (
          t('did_you_pay')
        ) : (
          <>
            <MethodIcon method={state.method} />
            {method}
          </>
        )}
      </p>
      <p className="text-13 text-fg-2">{state.left ? t('did_you_about') : t('go_about')}</p>
      <a
        href={state.params.payUrl}
        {...(mobile ? {} : { target: '_blank', rel: 'noopener' })}
        onClick={pay.left}
        className={getButtonClass(state.left ? 'secondary' : 'primary', 'md', 'w-full !whitespace-normal')}
      >
        <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        {state.left ? t('go_again') : t('go_pay')}
      </a>
    </div>
  )
}
