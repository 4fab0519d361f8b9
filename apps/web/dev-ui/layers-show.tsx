import { useState } from 'react'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { withCaptcha } from '#platform/web/calls/captcha.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { Dialog } from '#ui/layers/dialog.tsx'
import { Menu } from '#ui/layers/menu.tsx'
import { NativeLayer } from '#ui/layers/native-layer.tsx'
import { Sheet } from '#ui/layers/sheet.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { devTexts } from './texts.ts'

export function LayersShow() {
  const t = useTexts(devTexts)
  const [open, setOpen] = useState<'dialog' | 'sheet' | 'layer'>()
  const close = () => setOpen(undefined)
  return (
    <div className="flex flex-wrap gap-3">
      <Button variant="secondary" onClick={() => setOpen('dialog')}>
        {t('openDialog')}
      </Button>
      <Button variant="secondary" onClick={() => setOpen('sheet')}>
        {t('openSheet')}
      </Button>
      <Button variant="secondary" onClick={() => setOpen('layer')}>
        {t('openLayer')}
      </Button>
      <Button variant="secondary" onClick={() => void confirm({ title: t('confirmTitle'), body: t('confirmBody'), action: t('danger'), danger: true })}>
        {t('openConfirm')}
      </Button>
      <Button variant="secondary" onClick={() => toast.success(t('toastText'))}>
        {t('openToast')}
      </Button>
      <Button variant="secondary" onClick={() => void withCaptcha('security', async () => toast.success(t('toastText')))}>
        {t('openCaptcha')}
      </Button>
      <Button variant="secondary" onClick={() => void requestPayPassword().then((password) => password && toast.success(t('toastText')))}>
        {t('openPayPassword')}
      </Button>
      <Button variant="secondary" onClick={() => openDialog('protocol', { onConfirm: () => toast.success(t('toastText')) })}>
        {t('openAgreement')}
      </Button>
      <Menu
        trigger={<Button variant="secondary">{t('openMenu')}</Button>}
        groups={[[{ key: 'a', label: t('primary'), onSelect: () => undefined }], [{ key: 'b', label: t('danger'), danger: true, onSelect: () => undefined }]]}
      />
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title={t('dialogTitle')}
        description={t('dialogBody')}
        footer={
          <>
            <Button variant="secondary" onClick={close}>
              {t('secondary')}
            </Button>
            <Button onClick={close}>{t('save')}</Button>
          </>
        }
      >
        <TextField label={t('email')} />
      </Dialog>
      {open === 'layer' ? (
        <NativeLayer labelledBy="layer-title" onClose={close} className="bg-bg p-10 text-fg">
          <h2 id="layer-title">{t('dialogTitle')}</h2>
          <Button className="mt-4" onClick={close}>
            {t('save')}
          </Button>
        </NativeLayer>
      ) : null}
      <Sheet open={open === 'sheet'} onClose={close} title={t('sheetTitle')}>
        {t('dialogBody')}
      </Sheet>
    </div>
  )
}
