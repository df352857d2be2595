import type { ModeratedSubject } from '../store/mail.js';
import type { MailTexts } from './texts.en.js';

const SUBJECTS: Readonly<Record<ModeratedSubject, [noun: string, hidden: string, shown: string]>> = {
  account: ['Tu cuenta', 'fue suspendida', 'fue reactivada'],
  post: ['Tu publicación', 'fue ocultada', 'se muestra de nuevo'],
  comment: ['Tu comentario', 'fue ocultado', 'se muestra de nuevo'],
};

const REASONS: Readonly<Record<string, string>> = {
  spam: 'Spam',
  harassment: 'Acoso',
  nudity: 'Desnudez',
  danger: 'Peligro',
};

const DAY = new Intl.DateTimeFormat('es', { dateStyle: 'long', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('es', {
  ...{ dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' },
});
const CONFIRM = 'Confirma tu correo electrónico';
const IGNORE = 'Si no fuiste tú, puedes ignorar este correo.';
const BANK = 'Tu banco puede tardar de 5 a 10 días en mostrarlo.';
const SEE_SUBSCRIPTIONS = 'Ver tus suscripciones';
const SETTINGS = 'Abrir tus ajustes';
const NEW_PASSWORD = 'Elegir una contraseña nueva';

/** The Spanish mails. */
export const es: MailTexts = {
  tagline: 'Pulso, la red social del fitness',
  hello: (name) => `Hola, ${name}:`,
  someone: 'qué tal',
  unsubscribe: 'Dejar de recibir correos como este',
  accountMail: 'Recibes este correo porque trata de tu cuenta.',
  orOpen: 'Si el botón no funciona, abre esta dirección:',
  welcome: {
    subject: 'Te damos la bienvenida a Pulso',
    title: 'Te damos la bienvenida a Pulso',
    body: 'Tu cuenta está lista. Sigue a quienes entrenan como tú, escribe tu primera publicación y encuentra un entrenador.',
    button: 'Abrir tu inicio',
    confirm: `Confirma en un plazo de 24 horas que esta dirección es tuya. ${IGNORE}`,
    confirmButton: CONFIRM,
  },
  accountNotice: {
    verifyEmail: {
      title: CONFIRM,
      body: 'Confirma en un plazo de 24 horas que esta dirección es tuya. Después tu cuenta podrá usarla.',
      notYou: IGNORE,
      button: CONFIRM,
    },
    resetPassword: {
      title: 'Restablece tu contraseña',
      body: 'Alguien pidió una contraseña nueva para tu cuenta. El botón funciona una sola vez, durante una hora. La contraseña nueva cierra tu sesión en todos los dispositivos y elimina tus llaves de acceso: agrégalas de nuevo en los ajustes.',
      notYou: `${IGNORE} Tu contraseña sigue siendo la misma.`,
      button: NEW_PASSWORD,
    },
    emailChanged: {
      title: 'Cambió tu correo electrónico',
      body: 'Tu cuenta usa ahora otra dirección. Inicia sesión con ella; a esta ya no llegarán más correos. El próximo cambio de contraseña eliminará las llaves de acceso que se agregaron antes.',
      notYou:
        'Si no fuiste tú, es posible que otra persona use tu cuenta. Avisa cuanto antes a quienes administran Pulso.',
      button: '',
    },
    passkeyAdded: {
      title: 'Se agregó una llave de acceso a tu cuenta',
      body: 'Desde ahora una nueva llave de acceso inicia sesión en tu cuenta.',
      notYou: 'Si no fuiste tú, elimina la llave de acceso en tus ajustes y cambia tu contraseña.',
      button: SETTINGS,
    },
    passkeyRemoved: {
      title: 'Se eliminó una llave de acceso de tu cuenta',
      body: 'Una de tus llaves de acceso ya no inicia sesión en tu cuenta. Tu dispositivo puede seguir ofreciéndola.',
      notYou:
        'Si no fuiste tú, cambia tu contraseña. Así se cierran todas las demás sesiones. Después agrega de nuevo la llave de acceso.',
      button: SETTINGS,
    },
    passwordChanged: {
      title: 'Cambió tu contraseña',
      body: 'Tu cuenta tiene una contraseña nueva. Se cerraron todas las demás sesiones.',
      notYou:
        'Si no fuiste tú, elige enseguida una contraseña nueva. Así se cierran todas las sesiones y se eliminan todas las llaves de acceso, también las tuyas.',
      button: NEW_PASSWORD,
    },
  },
  newSignIn: {
    title: 'Nuevo inicio de sesión en tu cuenta',
    device: (browser, system) => {
      if (browser === '' && system === '') return 'un dispositivo desconocido';
      if (browser === '') return `un navegador desconocido en ${system}`;
      return system === '' ? browser : `${browser} en ${system}`;
    },
    body: (device, time) =>
      `Alguien inició sesión en tu cuenta con ${device}, que no se había usado antes para ella. Fue el ${time} (UTC).`,
    notYou: 'Si no fuiste tú, cambia tu contraseña. Así se cierran todas las demás sesiones.',
    button: SETTINGS,
  },
  subscriptionConfirmed: {
    subject: (coach) => `Te has suscrito a ${coach}`,
    title: 'Tu suscripción está activa',
    body: (coach) =>
      `Ahora tienes una suscripción a ${coach}. Puedes leer lo que ${coach} publica para sus suscriptores.`,
    button: (coach) => `Ver el perfil de ${coach}`,
  },
  newSubscriber: {
    subject: (subscriber) => `Nueva suscripción: ${subscriber}`,
    title: 'Nueva suscripción',
    body: (subscriber) =>
      `${subscriber} se ha suscrito y ya puede leer lo que publicas para tus suscriptores.`,
    button: (subscriber) => `Ver el perfil de ${subscriber}`,
  },
  moderationDecision: {
    subject: (subject, isHidden) => {
      const [noun, hidden, shown] = SUBJECTS[subject];
      return `${noun} ${isHidden ? hidden : shown}`;
    },
    body: {
      account: {
        hidden:
          'Un moderador ha suspendido tu cuenta. No puedes iniciar sesión y los demás no ven lo que escribiste.',
        shown: 'Un moderador ha reactivado tu cuenta. Puedes iniciar sesión de nuevo.',
      },
      post: {
        hidden: 'Un moderador ha ocultado una publicación tuya. Nadie más la ve.',
        shown: 'Un moderador muestra de nuevo una publicación tuya.',
      },
      comment: {
        hidden: 'Un moderador ha ocultado un comentario tuyo. Nadie más lo ve.',
        shown: 'Un moderador muestra de nuevo un comentario tuyo.',
      },
    },
    reason: (reason) => `Motivo: ${REASONS[reason] ?? 'otro'}.`,
  },
  day: (at) => DAY.format(at),
  time: (at) => TIME.format(at),
  formerCoach: 'un entrenador que ya no está en Pulso',
  paymentNotice: {
    failed: {
      subject: ({ coach }) => `Falló el pago de tu suscripción a ${coach}`,
      body: ({ coach, amount, until }) =>
        `No pudimos cobrar ${amount} por tu suscripción a ${coach}. Conservas el acceso hasta el ${until}. Si no se paga antes, la suscripción termina.`,
      button: 'Actualizar método de pago',
    },
    renewed: {
      subject: ({ coach }) => `Se renovó tu suscripción a ${coach}`,
      body: ({ coach, amount, until }) =>
        `Pagaste ${amount} por tu suscripción a ${coach}. Está pagada hasta el ${until}.`,
      button: SEE_SUBSCRIPTIONS,
    },
    refunded: {
      subject: ({ coach }) => `Un reembolso de tu suscripción a ${coach}`,
      body: ({ coach, amount }) => `Te devolvimos ${amount} de tu suscripción a ${coach}. ${BANK}`,
      button: SEE_SUBSCRIPTIONS,
    },
    secondRefunded: {
      subject: ({ coach }) => `Terminamos tu segunda suscripción a ${coach}`,
      body: ({ coach, amount }) =>
        `Tenías dos suscripciones a ${coach}. Terminamos la segunda y te devolvimos todo lo que pagaste por ella: ${amount}. ${BANK}`,
      button: SEE_SUBSCRIPTIONS,
    },
    disputed: {
      subject: ({ coach }) => `Un pago en disputa de tu suscripción a ${coach}`,
      body: ({ coach, amount }) =>
        `Tu banco nos informó de que disputaste el pago de ${amount} por tu suscripción a ${coach}. La suscripción terminó y ya no se cobra nada por ella. Si fue un error, díselo a tu banco.`,
      button: SEE_SUBSCRIPTIONS,
    },
  },
};
