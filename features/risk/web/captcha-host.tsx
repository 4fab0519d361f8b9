import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { riskTexts } from '../texts.ts'
import { retryCaptcha, closeCaptcha, isPopupOpen, serveCaptcha, useCaptchaFlow, type CaptchaView } from './captcha-flow.ts'
import { SlidePuzzle } from './slide-puzzle.tsx'

/** Mounted by the shell when the first captcha is asked for or expected; mostly it draws nothing. */
export function CaptchaHost() {
  const t = useTexts(riskTexts)
  const view = useCaptchaFlow((state) => state.view)
  useEffect(() => serveCaptcha(), [])
  return (
    <>
      {view.at === 'slow' ? <SlowPill /> : null}
      <Dialog open={isPopupOpen(view)} onClose={closeCaptcha} title={t('captcha.title')} size="xs" above finalFocus={returnFocus}>
        <Body view={view} />
      </Dialog>
    </>
  )
}

/** The button that was pressed may be resting while its call runs; then the dialog below takes focus by itself. */
function returnFocus(): HTMLElement | boolean {
  const { from } = useCaptchaFlow.getState()
  return from instanceof HTMLElement && from.isConnected && !from.matches(':disabled') ? from : true
}

function Body({ view }: { readonly view: CaptchaView }) {
  const t = useTexts(riskTexts)
  switch (view.at) {
    case 'slide':
      return <SlidePuzzle key={view.challenge.id} challenge={view.challenge} notice={view.notice} />
    case 'failed':
      return <Failed message={view.message} onRetry={() => retryCaptcha(view.way)} onOther={() => retryCaptcha(view.way === 'slide' ? 'altcha' : 'slide')} />
    case 'passed':
      return (
        <Still>
          <CircleCheck size={32} strokeWidth={1.75} className="text-success" aria-hidden="true" />
          <p className="font-semibold">{t('captcha.passed')}</p>
        </Still>
      )
    case 'working':
      return (
        <Still>
          <span className="spinner text-28 text-brand-text" aria-hidden="true" />
          <p className="font-semibold">{t('captcha.working')}</p>
          <p className="text-14 text-fg-2">{t('captcha.workingBody')}</p>
        </Still>
      )
    default:
      return (
        <Still>
          <span className="spinner text-28 text-brand-text" aria-hidden="true" />
          <p className="text-14 text-fg-2">{t('captcha.loading')}</p>
        </Still>
      )
  }
}

/** As tall as the puzzle, so that the pop-up does not jump between its states. */
function Still({ children }: { readonly children: ReactNode }) {
  return (
    <div role="status" className="flex min-h-[268px] flex-col items-center justify-center gap-2 text-center">
      {children}
    </div>
  )
}

function SlowPill() {
  const t = useTexts(riskTexts)
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-10 z-3003 flex justify-center mobile:bottom-24">
      <span className="flex items-center gap-2.5 rounded-full bg-fg px-4 py-2 text-14 text-bg shadow-dialog">
        <span className="spinner" aria-hidden="true" />
        {t('captcha.working')}
      </span>
    </div>
  )
}

function Failed({ message, onRetry, onOther }: { readonly message: string | undefined; readonly onRetry: () => void; readonly onOther: () => void }) {
  const t = useTexts(riskTexts)
  return (
    <div role="alert" className="flex min-h-[268px] flex-col justify-between gap-5">
      <div className="flex flex-1 flex-col items-center justify-center text-center">
        <CircleAlert size={32} strokeWidth={1.75} className="text-warning" aria-hidden="true" />
        <p className="mt-2 font-semibold">{t('captcha.failed')}</p>
        <p className="mt-1 text-14 text-fg-2">{message ?? t('captcha.failedBody')}</p>
      </div>
      <div className="grid gap-2">
        <Button block onClick={onRetry}>
          {t('captcha.retry')}
        </Button>
        <div className="grid grid-cols-2 gap-2">
          <Button variant="secondary" onClick={onOther} className="px-2 whitespace-normal">
            {t('captcha.otherWay')}
          </Button>
          <a href={`mailto:${site.supportEmail}`} className={getButtonClass('secondary', 'md', 'px-2 whitespace-normal')}>
            {t('captcha.contact')}
          </a>
        </div>
      </div>
    </div>
  )
}
