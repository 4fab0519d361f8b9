import { useTexts } from '#platform/web/i18n.ts'
import { accountTexts } from '../../texts.ts'
import { SignTape } from './sign-tape.tsx'

/** Beside the forms on a desktop: the promise, and the tape. It repeats what stands in the form, hence hidden from readers. */
export function AuthSide() {
  const t = useTexts(accountTexts)
  return (
    <div aria-hidden="true" className="on-ink flex h-full flex-col bg-ink px-6 pt-8 pb-7 text-ink-fg">
      <p className="text-28 leading-[1.25] font-bold">
        <span className="block">{t('side_1')}</span>
        <span className="block text-ink-accent">{t('side_2')}</span>
      </p>
      <p className="mt-3 text-14 text-ink-fg-2">{t('side_lead')}</p>
      <div className="mt-auto pt-8">
        <SignTape />
      </div>
    </div>
  )
}
