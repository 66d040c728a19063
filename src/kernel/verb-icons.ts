/** Icons of commands without one of their own, by the verb that their file begins with. */
export const verbIcons: Readonly<Record<string, string>> = {
  ...{
    add: 'plus',
    create: 'plus',
    adjust: 'edit',
    change: 'edit',
    configure: 'edit',
    edit: 'edit',
    delete: 'trash',
    remove: 'trash',
  },
  ...{ answer: 'check', apply: 'check', approve: 'check', book: 'check', close: 'check', confirm: 'check' },
  ...{ cancel: 'cancel', deactivate: 'cancel', deny: 'cancel', dismiss: 'cancel', reject: 'cancel', terminate: 'cancel' },
  ...{ collect: 'send', deliver: 'send', invite: 'send', resend: 'send', download: 'download', import: 'up', upload: 'up' },
  ...{ activate: 'play', pause: 'pause', resume: 'play', reset: 'lock', retry: 'refresh' },
  ...{ reopen: 'undo', reverse: 'undo', undo: 'undo', withdraw: 'cancel' },
}
