import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { parseOwnPath } from '#platform/shared/own-path.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { securityTexts } from '../../texts-security.ts'

/** A sentence in the reader's language, and the page where it is settled. */
export interface ClosingBlocker {
  readonly code: string
  readonly text: string
  readonly path: string
}

interface BlockersProps {
  readonly list: readonly ClosingBlocker[]
  readonly onGo: () => void
  readonly onAgain: () => void
}

export function Blockers({ list, onGo, onAgain }: BlockersProps) {
  const t = useTexts(securityTexts)
  return (
    <>
      <p className="text-14 text-fg-2">{t('delete_blocked', { count: list.length })}</p>
      <ul className="my-4 divide-y divide-line border-y border-line">
        {list.map((one) => (
          <li key={one.code} className="flex items-center justify-between gap-4 py-3 text-14">
            <span className="min-w-0">{one.text}</span>
            <Link to={parseOwnPath(one.path) ?? '/account'} onClick={onGo} className={getButtonClass('secondary', 'sm', 'shrink-0')}>
              {t('delete_settle')}
            </Link>
          </li>
        ))}
      </ul>
      <Button variant="ghost" block onClick={onAgain}>
        {t('delete_check_again')}
      </Button>
    </>
  )
}
