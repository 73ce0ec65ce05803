import { isWhollyKnown } from "../../core/values";
import { RefusedCallError } from "../call-errors";
import { rpc } from "../rpc";
import { DynamicValues } from "../values/dynamic-value";
import { field, message, optional, repeated, string } from "../wire/message";
import { dynamicValue, functionError } from "../wire/messages";

export const callFunction = rpc({
  name: "CallFunction",
  request: message({ name: field(1, string), arguments: repeated(2, dynamicValue) }),
  response: message({ result: optional(1, dynamicValue), error: optional(2, functionError) }),
  handle: (session, { name, arguments: encoded }) => {
    const { parameters, returns } = session.function(name);
    const values = new DynamicValues();
    const args = parameters.map(({ type }, index) => values.decode(type, encoded[index]));
    if (!args.every((arg) => isWhollyKnown(arg))) {
      throw new RefusedCallError(`An argument of ${name} is unknown.`);
    }
    const answer = session.provider.functions.call(name, args);
    return "error" in answer
      ? { error: { text: answer.error.text, functionArgument: answer.error.argument } }
      : { result: values.encode(returns, answer.value) };
  },
});
