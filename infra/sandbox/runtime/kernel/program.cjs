'use strict';

/** The three functions that the host calls. */
module.exports = function makeProgram(primordials, { modules, pending, output, outcomes, headers, errors }) {
  const { apply, parse, stringify, Promise } = primordials;
  const filename = '/reactor.js';
  let handler;
  let configurationJson = '{}';
  let bt = null;
  let returned = 'result';
  let isFirst = true;
  let latest;

  function load(code, configuration, hasApplication, returns) {
    returned = returns;
    latest = loadAnew(code, configuration, hasApplication);
    return latest;
  }

  function loadAnew(code, configuration, hasApplication) {
    configurationJson = configuration;
    output.start();
    pending.accept();
    let body;
    try {
      body = modules.compileBody(code);
    } catch (error) {
      return `does_not_compile\n${error.message}`;
    }
    try {
      if (hasApplication) bt = modules.load('holdfast:bt')(sendBt);
      const module = { id: '.', exports: {}, loaded: false, children: [], paths: [] };
      modules.run(body, module, modules.requireOf(''), filename);
      handler = functionOf(module.exports);
    } catch (error) {
      return outcomes.thrown(error);
    }
    return typeof handler === 'function' ? 'ready' : 'not_a_function';
  }

  /** Compiled from modern syntax, a default export sits in a member. */
  function functionOf(exported) {
    if (typeof exported !== 'object' || exported === null) return exported;
    return exported.__esModule ? exported.default : exported;
  }

  function sendBt(kind, payload) {
    return new Promise((resolve, reject) => {
      const text = typeof payload === 'string' ? payload : stringify(payload);
      try {
        pending.begin(kind, text, (failed, answer) => resolve({ failed, payload: answer }));
      } catch (error) {
        reject(error);
      }
    });
  }

  function invoke(args, isMessage) {
    latest = begin(args, isMessage);
    return latest;
  }

  function begin(args, isMessage) {
    return new Promise((resolve) => {
      let ended = false;
      const end = (text) => {
        if (ended) return;
        ended = true;
        errors.uncaught = () => undefined;
        pending.forgetAll();
        output.stop();
        resolve(text);
      };
      // As in Node, an error that nobody can catch ends what is running.
      errors.uncaught = (error) => end(outcomes.thrown(error));
      // What is logged while loading counts as the first invocation's.
      if (!isFirst) output.start();
      isFirst = false;
      pending.accept();
      void call(args, isMessage, end);
    });
  }

  async function call(argsJson, isMessage, end) {
    let text;
    try {
      const args = isMessage ? headers.withHeaders(argsJson) : parse(argsJson);
      const req = { args, configuration: parse(configurationJson), bt };
      text = outcomes.returned(await apply(handler, undefined, [req]), returned, isMessage);
    } catch (error) {
      text = outcomes.thrown(error);
    }
    end(text);
  }

  async function outcome() {
    return latest;
  }

  return { load, invoke, outcome, settle: pending.settle };
};
