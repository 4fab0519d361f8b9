import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { openingTexts } from './texts.ts'

/** Shows both names side by side, and the two ways to continue. */
export function NameMismatch({
  typed,
  paper,
  onName,
  onPaper,
}: {
  readonly typed: string
  readonly paper: string
  readonly onName: () => void
  readonly onPaper: () => void
}) {
  const t = useTexts(openingTexts)
  return (
    <AlertBox kind="warning" title={t('mismatch_title')} className="mb-5">
      <dl className="my-2 grid max-w-[420px] grid-cols-2 gap-3">
        <div>
          <dt className="text-13 text-fg-3">{t('mismatch_typed')}</dt>
          <dd className="text-18 font-semibold text-fg">{typed}</dd>
        </div>
        <div>
          <dt className="text-13 text-fg-3">{t('mismatch_paper')}</dt>
          <dd className="text-18 font-semibold text-fg">{paper}</dd>
        </div>
      </dl>
      <div className="flex gap-3">
        <Button size="sm" variant="secondary" onClick={onName}>
          {t('mismatch_name')}
        </Button>
        <Button size="sm" variant="secondary" onClick={onPaper}>
          {t('mismatch_paper_change')}
        </Button>
      </div>
    </AlertBox>
  )
}
